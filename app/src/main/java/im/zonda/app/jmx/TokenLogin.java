package im.zonda.app.jmx;

import im.zonda.app.status.StatusOperations;
import im.zonda.http.HttpException;
import im.zonda.operation.Caller;
import im.zonda.operation.token.ApiToken;
import im.zonda.operation.token.ApiTokens;
import im.zonda.operation.token.TokenAuthentication;
import java.net.InetAddress;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.time.InstantSource;
import java.util.Set;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXPrincipal;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets in the owner of a token that may read the state of the server: the user is the name of the
/// token, the password its text. Any thread may call; blocks.
///
/// @param sockets know where connections come from
/// @param authentication checks tokens
/// @param tokens the tokens, which are asked again for each request
record TokenLogin(
    ConnectionSockets sockets,
    TokenAuthentication authentication,
    ApiTokens tokens,
    InstantSource clock)
    implements JMXAuthenticator {
  private static final Logger LOG = LoggerFactory.getLogger(TokenLogin.class);

  @Override
  public Subject authenticate(@Nullable Object credentials) {
    if (!(credentials instanceof String[] given)
        || given.length != 2
        || given[0] == null
        || given[1] == null) {
      throw new SecurityException("A user and a password are needed: a token and its text");
    }
    InetAddress from = peer();
    Caller caller;
    try {
      caller = authentication.caller(from, given[1]);
    } catch (HttpException e) {
      // Its cause is for the log of the server, and no class of it is known to clients.
      throw refused(e.getMessage());
    }
    if (!caller.name().equals(given[0])) {
      throw new SecurityException("The user must be the name of the token");
    }
    if (!caller.grant().allows(StatusOperations.STATUS, null)) {
      throw new SecurityException(
          "The token may not read the state of the server: it needs the right server");
    }
    LOG.atInfo()
        .addKeyValue("token", caller.name())
        .addKeyValue("address", from.getHostAddress())
        .log("jmx_connected");
    return new Subject(true, Set.of(new JMXPrincipal(caller.name())), Set.of(), Set.of());
  }

  private static SecurityException refused(@Nullable String reason) {
    return new SecurityException(reason);
  }

  private InetAddress peer() {
    try {
      InetAddress found = sockets.peer(RemoteServer.getClientHost());
      if (found != null) {
        return found;
      }
    } catch (ServerNotActiveException e) {
      throw new IllegalStateException("no request of a client", e);
    }
    throw new SecurityException("The connection has ended");
  }

  /// Whether whom a request comes from may still read: tokens end and are revoked.
  boolean mayRead(@Nullable Subject subject) {
    if (!isRequest()) {
      return true; // the server of JMX itself, such as at its end
    }
    if (subject == null) {
      return false;
    }
    for (JMXPrincipal each : subject.getPrincipals(JMXPrincipal.class)) {
      ApiToken token = tokens.named(each.getName());
      if (token != null
          && !token.hasExpired(clock.instant())
          && token.grant().allows(StatusOperations.STATUS, null)) {
        return true;
      }
    }
    return false;
  }

  /// Whether a client has asked for what this thread does.
  private static boolean isRequest() {
    try {
      return !RemoteServer.getClientHost().isEmpty();
    } catch (ServerNotActiveException e) {
      return false;
    }
  }
}
