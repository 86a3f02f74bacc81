package im.zonda.stream.client;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.stanza.Iq;
import im.zonda.stream.sasl.GuestEntrance;
import im.zonda.stream.sasl.SaslRealm;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A virtual host, as streams see it.
///
/// @param domain its domain
/// @param accounts its accounts
/// @param gate where its clients' stanzas go
/// @param unauthenticated who answers IQ requests of clients that have not authenticated
/// @param featuresBefore the modules' stream features before authentication
/// @param featuresAfter the modules' stream features after authentication
/// @param inlineFeatures what modules offer to clients that bind within their authentication
///   (XEP-0386)
/// @param guests lets guests in
/// @param unbound its streams that have not bound a resource
public record StreamHost(
    Jid domain,
    Accounts accounts,
    SessionGate gate,
    UnauthenticatedIqs unauthenticated,
    Supplier<List<Element>> featuresBefore,
    Supplier<List<Element>> featuresAfter,
    Supplier<List<String>> inlineFeatures,
    GuestEntrance guests,
    UnboundStreams unbound)
    implements SaslRealm {
  /// A host without streams.
  public StreamHost(
      Jid domain,
      Accounts accounts,
      SessionGate gate,
      UnauthenticatedIqs unauthenticated,
      Supplier<List<Element>> featuresBefore,
      Supplier<List<Element>> featuresAfter,
      Supplier<List<String>> inlineFeatures,
      GuestEntrance guests) {
    this(
        domain,
        accounts,
        gate,
        unauthenticated,
        featuresBefore,
        featuresAfter,
        inlineFeatures,
        guests,
        new UnboundStreams());
  }

  /// Whether clients can log in with certificates. Does not block.
  boolean takesCertificates() {
    return accounts.abilities().contains(Ability.CERTIFICATE);
  }

  /// The host is removed: its streams that have not bound a resource end with `host-gone`. Those
  /// that have are ended by their sessions.
  public void close() {
    unbound.close();
  }

  /// Finds who answers an IQ request of a client that has not authenticated.
  @FunctionalInterface
  public interface UnauthenticatedIqs {
    /// The handler, or null if such a request is not for clients that have not authenticated.
    @Nullable UnauthenticatedHandler handler(Iq.Type type, QName payload);
  }
}
