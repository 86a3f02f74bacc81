package im.zonda.dns;

import java.net.InetAddress;
import java.util.List;

/// Looks up single records, for checks of what DNS has about a domain. Any thread may call. Calls
/// block, for a limited time.
public interface DnsLookup {
  /// The SRV records of a name.
  ///
  /// @param name such as `_xmpp-client._tcp.example.org`, as A-labels
  Records<Srv> services(String name);

  /// The addresses of a name: those of IPv6 first.
  ///
  /// @param name as A-labels
  Records<InetAddress> addresses(String name);

  /// An SRV record (RFC 2782).
  ///
  /// @param target a name as A-labels without the final dot; empty if there is no such service
  record Srv(int priority, int weight, int port, String target) {}

  /// The answer to a question.
  sealed interface Records<T> {
    /// There are some.
    ///
    /// @param all at least one
    record Found<T>(List<T> all) implements Records<T> {
      /// Copies the list.
      public Found {
        all = List.copyOf(all);
      }
    }

    /// There are none.
    record None<T>() implements Records<T> {}

    /// It is not known.
    ///
    /// @param reason a clause for the administrator
    record Failed<T>(String reason) implements Records<T> {}
  }
}
