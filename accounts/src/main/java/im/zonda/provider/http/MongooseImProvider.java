package im.zonda.provider.http;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.HttpAccounts;
import im.zonda.store.ScramKeys;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accounts of a service that was written for the HTTP authentication of MongooseIM: `user_exists`
/// and `check_password`, or `get_password` if it keeps SCRAM keys. Passwords are then checked here,
/// as MongooseIM does; without keys they are sent in the address.
///
/// `register`, `set_password`, `remove_user` and `get_certs` are not asked.
final class MongooseImProvider implements AccountProvider {
  private static final Logger LOG = LoggerFactory.getLogger(MongooseImProvider.class);

  private static final int MOST_BYTES = 262_144;

  private final HttpService service;
  private final Map<String, String> headers;
  private final boolean hasKeys;
  private final Duration limit;

  private MongooseImProvider(
      HttpService service, Map<String, String> headers, boolean hasKeys, Duration limit) {
    this.service = service;
    this.headers = headers;
    this.hasKeys = hasKeys;
    this.limit = limit;
  }

  static MongooseImProvider of(
      String name, HttpAccounts settings, HttpService service, Duration limit) {
    if (!settings.scram()) {
      LOG.atWarn().addKeyValue("provider", name).log("accounts_http_password_in_address");
    }
    String secret = settings.secret();
    Map<String, String> headers =
        secret == null ? Map.of() : Map.of("Authorization", basic(secret));
    return new MongooseImProvider(service, headers, settings.scram(), limit);
  }

  private static String basic(String secret) {
    return "Basic " + Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Set<Ability> abilities() {
    Set<Ability> abilities = EnumSet.of(Ability.PASSWORD, Ability.FIND);
    if (hasKeys) {
      abilities.add(Ability.SCRAM_KEYS);
    }
    return abilities;
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    String domain = question.domain();
    String local = question.local();
    if (hasKeys) {
      List<ScramKeys> keys = keys(domain, local);
      if (keys.isEmpty()) {
        return Verdict.UNKNOWN;
      }
      return SerializedKeys.match(keys, question.password())
          ? new Verdict.Accepted(ProvidedAccount.of(local))
          : new Verdict.Wrong("it is not the password of the keys");
    }
    if (isTrue(get("check_password", domain, local, question.password()))) {
      return new Verdict.Accepted(ProvidedAccount.of(local));
    }
    return find(domain, local) instanceof Verdict.Accepted
        ? new Verdict.Wrong("the service has said no")
        : Verdict.UNKNOWN;
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    return isTrue(get("user_exists", domain, local, ""))
        ? new Verdict.Accepted(ProvidedAccount.of(local))
        : Verdict.UNKNOWN;
  }

  @Override
  public List<ScramKeys> keys(String domain, String local)
      throws ProviderException, InterruptedException {
    if (!hasKeys) {
      return List.of();
    }
    String serialized = get("get_password", domain, local, "");
    return serialized == null ? List.of() : SerializedKeys.read(serialized);
  }

  private static boolean isTrue(@Nullable String text) throws ProviderException {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      case null -> false;
      default -> throw new ProviderException("the answer is neither true nor false");
    };
  }

  /// The answer; null if the service refuses it or has no such account.
  private @Nullable String get(String method, String domain, String local, String password)
      throws ProviderException, InterruptedException {
    String query =
        "?user=" + encode(local) + "&server=" + encode(domain) + "&pass=" + encode(password);
    HttpResponse<byte[]> response =
        service.send(new Request('/' + method + query, null, headers, MOST_BYTES, limit));
    return switch (response.statusCode()) {
      case 200 -> new String(response.body(), StandardCharsets.UTF_8).strip();
      case 401, 403, 404 -> null;
      default ->
          throw new ProviderException(
              "the service has answered with the status " + response.statusCode());
    };
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    return new LoginTrial(service, this).run(question);
  }

  @Override
  public void close() {
    service.close();
  }
}
