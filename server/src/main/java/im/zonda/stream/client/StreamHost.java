package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.router.SessionGate;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
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
/// @param inlineBind what modules do for sessions while they are bound (XEP-0386)
public record StreamHost(
    Jid domain,
    Accounts accounts,
    SessionGate gate,
    UnauthenticatedIqs unauthenticated,
    Supplier<List<Element>> featuresBefore,
    Supplier<List<Element>> featuresAfter,
    InlineBind inlineBind)
    implements SaslRealm {
  /// What modules do for sessions while they are bound.
  public interface InlineBind {
    /// The features that a client may ask for, for their announcement.
    List<String> features();

    /// Does for a session that is being bound what the client has put into its `<bind/>`; returns
    /// what it is answered. Called at the home.
    List<Element> bound(Home home, Session session, Element request);
  }

  /// Finds who answers an IQ request of a client that has not authenticated.
  @FunctionalInterface
  public interface UnauthenticatedIqs {
    /// The handler, or null if such a request is not for clients that have not authenticated.
    @Nullable UnauthenticatedHandler handler(Iq.Type type, QName payload);
  }
}
