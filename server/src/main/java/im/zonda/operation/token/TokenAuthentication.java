package im.zonda.operation.token;

import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.operation.Caller;
import im.zonda.operation.rest.RestHandler;
import im.zonda.runtime.ServerRuntime;
import im.zonda.session.ClientNetwork;
import im.zonda.store.StoreException;
import im.zonda.stream.CertificateNames;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.LoginThrottle;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides by its token who has sent a request (RFC 6750, section 2.1), and refuses what pages of
/// other origins could have a browser send. Wrong tokens are throttled as wrong passwords are, by
/// the address that sends them, and appear nowhere.
public final class TokenAuthentication implements RestHandler.Authentication {
  private static final Logger LOG = LoggerFactory.getLogger(TokenAuthentication.class);
  private static final String SCHEME = "Bearer ";
  private static final int MOST_CHARACTERS = 200;

  /// What it needs.
  ///
  /// @param hosts the domains of the hosts, one of which requests must name
  /// @param allowed the addresses from which requests are answered
  /// @param throttle counts wrong tokens
  public record Parts(
      ApiTokens tokens,
      Supplier<List<String>> hosts,
      Predicate<InetAddress> allowed,
      LoginThrottle throttle,
      ServerRuntime runtime) {}

  private final Parts parts;
  private final AddressLog failed;

  public TokenAuthentication(Parts parts) {
    this.parts = parts;
    this.failed = new AddressLog("api_token_refused_repeatedly", parts.runtime().scheduler());
  }

  @Override
  public Caller caller(HttpRequest request) {
    InetAddress address = request.remoteAddress();
    if (!parts.allowed().test(address)) {
      throw new HttpException(403, "Requests from this address are not answered");
    }
    checkHost(request);
    checkPage(request);
    return caller(address, token(request));
  }

  /// The owner of a token, sent by any way; waits as long as the throttle demands.
  ///
  /// @throws HttpException 401 if there is no such token, 429 if there were too many wrong ones,
  ///   503 if that is not known at present
  public Caller caller(InetAddress address, String text) {
    ApiToken token = check(address, text);
    if (token == null) {
      log(address);
      throw new HttpException(401, "This token is not known, or no longer");
    }
    parts.tokens().note(token, address);
    return new Caller(token.name(), Caller.Via.API, address.getHostAddress(), token.grant());
  }

  /// A page whose name suddenly means this machine (DNS rebinding) asks for another host.
  private void checkHost(HttpRequest request) {
    String name = request.domain();
    if (request.remoteAddress().isLoopbackAddress() && isThisMachine(name)) {
      return;
    }
    for (String host : parts.hosts().get()) {
      if (CertificateNames.toAscii(host).equals(name)) {
        return;
      }
    }
    throw new HttpException(421, "The field Host names no host of this server");
  }

  private static boolean isThisMachine(String name) {
    return name.equals("localhost")
        || name.equals("[::1]")
        || name.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  }

  private static void checkPage(HttpRequest request) {
    for (String site : request.headers("Sec-Fetch-Site")) {
      if (!site.equals("same-origin") && !site.equals("none")) {
        throw new HttpException(403, "Pages of other origins may not use this");
      }
    }
  }

  /// The token in the header, and nowhere else.
  private static String token(HttpRequest request) {
    if (request.query().values().stream().anyMatch(each -> each.contains(ApiToken.PREFIX))) {
      throw new HttpException(
          400,
          "A token in an address is kept in logs: send it in the field Authorization, and revoke"
              + " this one");
    }
    List<String> fields = request.headers("Authorization");
    if (fields.size() != 1) {
      throw new HttpException(401, "The request needs one field Authorization with a token");
    }
    String field = fields.getFirst();
    if (!field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw new HttpException(401, "The field Authorization must be Bearer and a token");
    }
    return field.substring(SCHEME.length()).strip();
  }

  /// The token with that text, or null; waits as long as the throttle demands.
  private @Nullable ApiToken check(InetAddress address, String text) {
    ClientNetwork network = ClientNetwork.of(address);
    LoginThrottle.Attempt attempt = parts.throttle().attempt(address, "token " + network.text());
    if (parts.throttle().blocks(network) || attempt.isRefused()) {
      throw tooMany();
    }
    ApiToken found = text.length() > MOST_CHARACTERS ? null : find(text);
    Duration delay = attempt.decide(found != null);
    if (delay == null) {
      throw tooMany();
    }
    try {
      await(delay);
      attempt.answered();
    } catch (InterruptedException e) {
      attempt.abandoned();
      Thread.currentThread().interrupt();
      throw new HttpException(503, "The server stops");
    }
    return found;
  }

  private @Nullable ApiToken find(String text) {
    try {
      return parts.tokens().find(text);
    } catch (StoreException e) {
      LOG.atError().setCause(e).log("api_tokens_unreadable");
      throw new HttpException(503, "The database does not answer");
    }
  }

  private void await(Duration delay) throws InterruptedException {
    if (delay.isPositive()) {
      CountDownLatch over = new CountDownLatch(1);
      parts.runtime().scheduler().schedule(delay, over::countDown);
      over.await();
    }
  }

  private static HttpException tooMany() {
    return new HttpException(
        429, "There were too many wrong tokens from this address; wait a while");
  }

  private void log(InetAddress address) {
    (failed.isFirst(address) ? LOG.atInfo() : LOG.atDebug())
        .addKeyValue("address", address.getHostAddress())
        .log("api_token_refused");
  }
}
