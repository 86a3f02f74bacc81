package im.zonda.acme;

import im.zonda.net.tls.CertificateWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Gets certificates (RFC 8555, section 7). Blocks; for one thread.
public final class AcmeClient {
  /// How often a state of the authority is asked for, until it counts as hanging.
  private static final int POLLS = 30;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final Authority authority;
  private final ChallengeResponder responder;
  private final Pause pause;
  private final AcmeServer server;
  private final Progress progress;

  /// The authority, and the account at it.
  ///
  /// @param directory the URL of its directory
  /// @param email where it may write to, or null
  /// @param http reaches it
  /// @param key the key of the account, which is created when it is first used
  public record Authority(URI directory, @Nullable String email, HttpClient http, KeyPair key) {}

  /// Waits.
  @FunctionalInterface
  public interface Pause {
    void sleep(Duration time) throws InterruptedException;
  }

  /// Receives how far an order is.
  @FunctionalInterface
  public interface Progress {
    /// A step was reached.
    ///
    /// @param detail what it was about, such as a domain
    void reached(OrderStep.Kind kind, String detail);
  }

  /// @param responder answers the challenges
  public AcmeClient(
      Authority authority, ChallengeResponder responder, InstantSource clock, Pause pause) {
    this(authority, responder, clock, pause, (_, _) -> {});
  }

  /// @param responder answers the challenges
  /// @param progress receives how far an order is
  public AcmeClient(
      Authority authority,
      ChallengeResponder responder,
      InstantSource clock,
      Pause pause,
      Progress progress) {
    this.progress = progress;
    this.authority = authority;
    this.responder = responder;
    this.pause = pause;
    this.server =
        new AcmeServer(
            authority.directory(), authority.http(), new AccountKey(authority.key()), clock);
  }

  /// Gets a certificate for domains, with the chain of those that signed it, as PEM.
  ///
  /// @param names the domains, as A-labels
  /// @param key the keys of the certificate
  /// @throws AcmeException with the authority's words if it refuses
  /// @throws IOException if it cannot be reached
  public String order(List<String> names, KeyPair key) throws IOException, InterruptedException {
    server.open();
    register();
    progress.reached(OrderStep.Kind.ACCOUNT, authority.directory().toString());
    StringBuilder identifiers = new StringBuilder();
    for (String name : names) {
      identifiers
          .append(identifiers.isEmpty() ? "" : ",")
          .append("{\"type\":\"dns\",\"value\":")
          .append(AcmeServer.quote(name))
          .append("}");
    }
    AcmeServer.Answer created =
        server.post(server.address("newOrder"), "{\"identifiers\":[" + identifiers + "]}");
    String order = created.location();
    if (order == null) {
      throw new AcmeException("the authority has not named the order");
    }
    progress.reached(OrderStep.Kind.ORDER, String.join(", ", names));
    for (Object authorization : list(created.json(), "authorizations")) {
      authorize(String.valueOf(authorization));
    }
    Map<String, @Nullable Object> ready = await(order, "ready");
    server.post(
        AcmeServer.text(ready, "finalize"),
        "{\"csr\":\"" + AccountKey.base64(CertificateWriter.request(key, names)) + "\"}");
    Map<String, @Nullable Object> valid = await(order, "valid");
    String chain = server.read(AcmeServer.text(valid, "certificate")).body();
    progress.reached(OrderStep.Kind.ISSUED, names.getFirst());
    return chain;
  }

  /// Creates the account, or finds it by its key.
  private void register() throws IOException, InterruptedException {
    String email = authority.email();
    String contact =
        email == null ? "" : ",\"contact\":[" + AcmeServer.quote("mailto:" + email) + "]";
    AcmeServer.Answer answer =
        server.post(server.address("newAccount"), "{\"termsOfServiceAgreed\":true" + contact + "}");
    server.signAs(answer.location());
  }

  /// Proves the control of one domain.
  private void authorize(String address) throws IOException, InterruptedException {
    Map<String, @Nullable Object> authorization = server.read(address).json();
    String domain = domain(authorization);
    if ("valid".equals(authorization.get("status"))) {
      progress.reached(OrderStep.Kind.VALIDATION, domain);
      return;
    }
    Map<?, ?> challenge = challenge(authorization, domain);
    String token = String.valueOf(challenge.get("token"));
    responder.publish(domain, token, new AccountKey(authority.key()).authorization(token));
    progress.reached(OrderStep.Kind.CHALLENGE, domain + " (" + responder.type() + ")");
    try {
      server.post(String.valueOf(challenge.get("url")), "{}");
      await(address, "valid");
      progress.reached(OrderStep.Kind.VALIDATION, domain);
    } finally {
      responder.withdraw(domain, token);
    }
  }

  private static String domain(Map<String, @Nullable Object> authorization) throws AcmeException {
    if (authorization.get("identifier") instanceof Map<?, ?> identifier
        && identifier.get("value") instanceof String value) {
      return value;
    }
    throw new AcmeException("the authority has not named the domain");
  }

  private Map<?, ?> challenge(Map<String, @Nullable Object> authorization, String domain)
      throws AcmeException {
    for (Object each : list(authorization, "challenges")) {
      if (each instanceof Map<?, ?> challenge && responder.type().equals(challenge.get("type"))) {
        return challenge;
      }
    }
    throw new AcmeException("the authority offers no " + responder.type() + " for " + domain);
  }

  private static List<Object> list(Map<String, @Nullable Object> object, String name)
      throws AcmeException {
    if (!(object.get(name) instanceof List<?> found)) {
      throw new AcmeException("the authority's answer has no " + name);
    }
    return new ArrayList<>(found);
  }

  /// Asks until an order or authorization has that status.
  private Map<String, @Nullable Object> await(String address, String wanted)
      throws IOException, InterruptedException {
    Duration next = FIRST_PAUSE;
    for (int i = 0; i < POLLS; i++) {
      AcmeServer.Answer answer = server.read(address);
      Map<String, @Nullable Object> state = answer.json();
      String status = AcmeServer.text(state, "status");
      if (status.equals(wanted) || status.equals("valid")) {
        return state;
      }
      if (!status.equals("pending") && !status.equals("processing") && !status.equals("ready")) {
        throw refusal(state, status);
      }
      Duration told = answer.retryAfter();
      Duration time = told == null ? next : told;
      pause.sleep(time.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : time);
      next = next.multipliedBy(2);
    }
    throw new AcmeException("the authority does not come to a decision");
  }

  /// Why an order or authorization is invalid.
  private static AcmeException refusal(Map<String, @Nullable Object> state, String status)
      throws AcmeException {
    if (state.get("error") instanceof Map<?, ?> error) {
      return problem(error);
    }
    if (state.get("challenges") instanceof List<?> challenges) {
      for (Object each : challenges) {
        if (each instanceof Map<?, ?> challenge && challenge.get("error") instanceof Map<?, ?> e) {
          return problem(e);
        }
      }
    }
    return new AcmeException("the authority says that it is " + status);
  }

  private static AcmeException problem(Map<?, ?> document) {
    Map<String, @Nullable Object> members = new java.util.HashMap<>();
    document.forEach((name, value) -> members.put(String.valueOf(name), value));
    return AcmeServer.problem(members, null);
  }
}
