package im.zonda.dns;

import java.util.List;

/// Finds the servers of a domain. Any thread may call.
public interface ServerAddresses {
  /// The servers of a remote domain. Blocks, for a limited time; to be called by a virtual thread.
  ///
  /// @param domain a domain as [im.zonda.jid.Jid#domain] has it; A-labels are accepted too
  Found find(String domain);

  /// What was found.
  sealed interface Found {
    /// Servers.
    ///
    /// @param targets the servers in the order in which to try them, at least one
    /// @param authentic whether DNSSEC proves that these are the domain's servers
    record Targets(List<Target> targets, boolean authentic) implements Found {
      /// Copies the list.
      public Targets {
        targets = List.copyOf(targets);
      }
    }

    /// The domain does not exist, or has no XMPP server.
    record NoSuchDomain() implements Found {}

    /// It is not known for now: DNS does not answer, or its answer is of no use.
    ///
    /// @param reason a sentence for the administrator
    record Unavailable(String reason) implements Found {}
  }
}
