package im.zonda.provider.http;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.HttpAccounts;
import im.zonda.config.accounts.HttpAccounts.Style;
import im.zonda.provider.trust.ServiceTls;
import im.zonda.store.ScramKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Accounts of a service that answers questions in JSON: `check`, `exists`, `scram`, `groups`.
///
/// A service answers `unknown` to what it does not know, be it an account or a question.
public final class HttpProvider implements AccountProvider {
  /// The most time for a question.
  static final Duration LIMIT = Duration.ofSeconds(5);

  private static final int MOST_GROUP_BYTES = 16_777_216;
  private static final Duration GROUP_LIMIT = Duration.ofSeconds(60);

  private final HttpService service;
  private final JsonQuestions questions;
  private final boolean hasKeys;

  private HttpProvider(HttpService service, JsonQuestions questions, boolean hasKeys) {
    this.service = service;
    this.questions = questions;
    this.hasKeys = hasKeys;
  }

  /// A provider that asks in the form of its settings. Nothing is asked yet.
  ///
  /// @param name the name of the provider, for the log
  /// @param settings checked
  /// @param clock the time of signatures
  /// @throws ProviderException if the file of authorities cannot be read
  public static AccountProvider of(String name, HttpAccounts settings, InstantSource clock)
      throws ProviderException {
    return of(name, settings, clock, LIMIT);
  }

  static AccountProvider of(String name, HttpAccounts settings, InstantSource clock, Duration limit)
      throws ProviderException {
    HttpService service = new HttpService(settings);
    if (settings.style() == Style.MONGOOSEIM) {
      return MongooseImProvider.of(name, settings, service, limit);
    }
    String secret = settings.secret();
    Signature signature = secret == null ? null : new Signature(secret, clock);
    JsonQuestions questions = new JsonQuestions(service, signature, limit);
    return new HttpProvider(service, questions, settings.scram());
  }

  /// Whether a file has certificates of authorities.
  public static boolean areAuthorities(Path file) {
    try {
      ServiceTls.trusting(file);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public Set<Ability> abilities() {
    Set<Ability> abilities = EnumSet.of(Ability.PASSWORD, Ability.FIND, Ability.GROUPS);
    if (hasKeys) {
      abilities.add(Ability.SCRAM_KEYS);
    }
    return abilities;
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    Map<String, String> more = new LinkedHashMap<>();
    more.put("password", question.password());
    InetAddress address = question.address();
    if (address != null) {
      more.put("address", address.getHostAddress());
    }
    more.put("mechanism", question.mechanism());
    JsonAnswer answer = questions.ask("check", question.domain(), question.local(), more);
    return switch (answer.result()) {
      case YES -> new Verdict.Accepted(answer.account(question.local()));
      case NO -> new Verdict.Wrong("the service has said no");
      case UNKNOWN -> Verdict.UNKNOWN;
    };
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    JsonAnswer answer = questions.ask("exists", domain, local, Map.of());
    return switch (answer.result()) {
      case YES -> new Verdict.Accepted(answer.account(local));
      case NO, UNKNOWN -> Verdict.UNKNOWN;
    };
  }

  @Override
  public List<ScramKeys> keys(String domain, String local)
      throws ProviderException, InterruptedException {
    if (!hasKeys) {
      return List.of();
    }
    JsonAnswer answer = questions.ask("scram", domain, local, Map.of());
    return switch (answer.result()) {
      case YES -> answer.keys();
      case NO, UNKNOWN -> List.of();
    };
  }

  @Override
  public List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    JsonAnswer answer = questions.ask("groups", domain, MOST_GROUP_BYTES, GROUP_LIMIT);
    return switch (answer.result()) {
      case YES -> new GivenGroups(domain).read(answer.members().get("groups"));
      case NO, UNKNOWN -> List.of();
    };
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
