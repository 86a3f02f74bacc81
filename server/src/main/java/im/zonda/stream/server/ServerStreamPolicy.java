package im.zonda.stream.server;

import im.zonda.link.DomainPair;

/// The administrator's policy for the streams of each domain pair. Any thread may call; answers
/// come at once.
public interface ServerStreamPolicy {
  /// Whether stanzas may be exchanged with the remote domain.
  boolean isAllowed(DomainPair pair);

  /// Whether the stream must be encrypted.
  boolean requiresTls(DomainPair pair);

  /// Whether dialback (XEP-0220) is enough where the certificate is not good for the domain.
  boolean allowsDialback(DomainPair pair);
}
