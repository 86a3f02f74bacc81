package im.zonda.stream.sasl;

import im.zonda.auth.KnownClient;
import im.zonda.auth.KnownClient.Token;
import im.zonda.auth.KnownClients;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.Xep;
import im.zonda.runtime.ServerRuntime;
import im.zonda.session.UserAgent;
import im.zonda.store.Account;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Issues tokens to clients and checks them; remembers the clients of accounts. Calls block.
///
/// A token is derived from the server's secret, the account, the client, the mechanism, a random
/// seed and a mark of the password. Only the seed is stored, so the database holds no token, and a
/// token is valid for no other client, account or mechanism. Changing the password revokes it.
@Xep(
    number = 484,
    version = "0.2.0",
    title = "Fast Authentication Streamlining Tokens",
    note = "Not in TLS 1.3 early data, which the server does not take; so `count` is not needed.")
public final class ClientTokens {
  /// The namespace.
  public static final String NAMESPACE = "urn:xmpp:fast:0";

  private static final Logger LOG = LoggerFactory.getLogger(ClientTokens.class);

  /// A token older than this is replaced when it is used.
  private static final Duration ROTATION = Duration.ofDays(1);

  /// The time of the last login is kept to the hour, so that most logins write nothing.
  private static final Duration PRECISION = Duration.ofHours(1);

  /// Stands in for a token that is not there, so that the work is the same.
  private static final Token NONE = new Token("", "", Instant.EPOCH, Instant.EPOCH);

  private final byte[] secret;
  private final KnownClients clients;
  private final InstantSource clock;
  private final IdSource ids;
  private final Duration time;

  /// What a login by a token gives.
  ///
  /// @param data what proves to the client that the server knows the token
  /// @param answer a new token for the client, or null
  @SuppressWarnings("ArrayRecordComponent") // written once, compared never
  public record Login(byte[] data, @Nullable Element answer) {}

  /// What a client requests for its tokens, besides logging in.
  ///
  /// @param wanted the mechanism of the token that it asks for, or null
  /// @param invalidate whether it gives up those it has
  public record TokenRequest(@Nullable TokenMechanism wanted, boolean invalidate) {}

  /// @param secret at least 16 secret bytes that stay the same over restarts
  /// @param runtime its ids are the seeds
  /// @param time how long a token is good
  public ClientTokens(byte[] secret, KnownClients clients, ServerRuntime runtime, Duration time) {
    this.secret = secret.clone();
    this.clients = clients;
    this.clock = runtime.clock();
    this.ids = runtime.ids();
    this.time = time;
  }

  /// Remembers a client that has proved the password; returns the token that it asks for, or null.
  public @Nullable Element afterPassword(
      SaslRealm host, Jid account, UserAgent agent, @Nullable TokenMechanism wanted) {
    String id = agent.id();
    if (id == null) {
      return null;
    }
    try {
      Account found = host.accounts().find(account);
      if (found == null) {
        return null;
      }
      Instant now = now();
      KnownClient known = clients.find(account, id);
      String mark = KnownClient.markOf(found);
      KnownClient client;
      if (known != null && known.isCurrent(found)) {
        client = seen(known, agent, now);
      } else {
        Instant first = known == null ? now : known.firstSeen();
        client =
            new KnownClient(id, agent.software(), agent.device(), first, now, mark, null, null);
      }
      Token issued = wanted == null ? null : issue(wanted, now);
      if (issued != null) {
        client = client.withTokens(client.current(), issued);
      }
      if (known == null) {
        clients.add(account, client);
      } else if (!client.equals(known)) {
        clients.change(account, client);
      }
      return issued == null ? null : element(account, client, issued);
    } catch (StoreException e) {
      // The password was right: the client is let in, without a token.
      LOG.atWarn().addKeyValue("store", e.category()).setCause(e).log("client_not_remembered");
      return null;
    }
  }

  /// Checks a token.
  ///
  /// @param account null if no account can have that name
  /// @param agent the client, with its identifier
  /// @throws SaslFailure if it is not good; the same whether there is such an account or not
  public Login login(
      SaslRealm host,
      @Nullable Jid account,
      UserAgent agent,
      TokenMechanism mechanism,
      byte[] proof,
      byte[] binding,
      TokenRequest request)
      throws SaslFailure {
    String id = Objects.requireNonNull(agent.id());
    Jid asked = account == null ? host.domain() : account;
    Account found = account == null ? null : host.accounts().find(account);
    KnownClient known = account == null ? null : clients.find(account, id);
    KnownClient client =
        known != null && found != null && known.isCurrent(found)
            ? known
            : new KnownClient(id, null, null, Instant.EPOCH, Instant.EPOCH, "", null, null);
    boolean fresh = proves(asked, client, client.fresh(), mechanism, proof, binding);
    boolean current = proves(asked, client, client.current(), mechanism, proof, binding);
    Token token = fresh ? client.fresh() : current ? client.current() : null;
    if (token == null) {
      throw new SaslFailure(SaslCondition.NOT_AUTHORIZED, "token");
    }
    if (host.accounts().isDisabled(asked)) {
      throw new SaslFailure(SaslCondition.ACCOUNT_DISABLED, "disabled");
    }
    Instant now = now();
    if (token.expiry().isBefore(now)) {
      throw new SaslFailure(SaslCondition.CREDENTIALS_EXPIRED, "token");
    }
    byte[] data = hmac(ascii(text(asked, client, token)), ascii("Responder"), binding);
    return new Login(data, used(asked, client, token, agent, request, now));
  }

  /// Puts the tokens in order after one was used (section 3.5); returns a new one for the client,
  /// or null.
  private @Nullable Element used(
      Jid account,
      KnownClient known,
      Token token,
      UserAgent agent,
      TokenRequest request,
      Instant now) {
    KnownClient client = seen(known, agent, now);
    if (token.equals(known.fresh())) {
      client = client.withTokens(token, null);
    }
    if (request.invalidate()) {
      client = client.withTokens(null, null);
    }
    TokenMechanism wanted = request.wanted();
    if (wanted == null && !request.invalidate() && token.issued().plus(ROTATION).isBefore(now)) {
      wanted = TokenMechanism.ofSaslName(token.mechanism());
    }
    Token issued = wanted == null ? null : issue(wanted, now);
    if (issued != null) {
      client = client.withTokens(client.current(), issued);
    }
    if (!client.equals(known)) {
      try {
        clients.change(account, client);
      } catch (StoreException e) {
        if (request.invalidate()) {
          throw e;
        }
        // The token was right: the client is let in, and its stored tokens are unchanged.
        LOG.atWarn().addKeyValue("store", e.category()).setCause(e).log("client_not_remembered");
        return null;
      }
    }
    return issued == null ? null : element(account, client, issued);
  }

  private static KnownClient seen(KnownClient known, UserAgent agent, Instant now) {
    boolean recent = known.lastSeen().plus(PRECISION).isAfter(now);
    boolean same =
        Objects.equals(known.software(), agent.software())
            && Objects.equals(known.device(), agent.device());
    return recent && same ? known : known.seen(now, agent.software(), agent.device());
  }

  private Token issue(TokenMechanism mechanism, Instant now) {
    return new Token(mechanism.saslName(), ids.next(), now, now.plus(time));
  }

  private Element element(Jid account, KnownClient client, Token token) {
    return Element.builder(NAMESPACE, "token")
        .attribute("expiry", token.expiry().truncatedTo(ChronoUnit.SECONDS).toString())
        .attribute("token", text(account, client, token))
        .build();
  }

  private boolean proves(
      Jid account,
      KnownClient client,
      @Nullable Token token,
      TokenMechanism mechanism,
      byte[] proof,
      byte[] binding) {
    boolean there = token != null && token.mechanism().equals(mechanism.saslName());
    byte[] key = ascii(text(account, client, there && token != null ? token : NONE));
    byte[] expected = hmac(key, ascii("Initiator"), binding);
    boolean equal = MessageDigest.isEqual(expected, proof);
    return there && equal;
  }

  /// The token, as the client knows it.
  private String text(Jid account, KnownClient client, Token token) {
    StringBuilder text = new StringBuilder("token");
    for (String part :
        List.of(account.toString(), client.id(), client.mark(), token.mechanism(), token.seed())) {
      text.append('\0').append(part);
    }
    byte[] bytes = hmac(secret, text.toString().getBytes(StandardCharsets.UTF_8), new byte[0]);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// Kept to the millisecond, as in the store.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static byte[] hmac(byte[] key, byte[] first, byte[] second) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
      mac.update(first);
      return mac.doFinal(second);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC SHA-256", e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
