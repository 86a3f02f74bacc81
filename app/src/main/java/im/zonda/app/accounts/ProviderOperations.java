package im.zonda.app.accounts;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.TestStep;
import im.zonda.auth.provider.AccountLinks;
import im.zonda.auth.provider.ProviderChains;
import im.zonda.auth.provider.ProviderGate;
import im.zonda.auth.provider.ProviderGate.State;
import im.zonda.config.accounts.Accounts;
import im.zonda.jid.Jid;
import im.zonda.metric.TimingCounts;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import im.zonda.operation.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Operations on those who keep accounts elsewhere.
public final class ProviderOperations {
  private static final String PAGE = "page";

  /// Whose providers are wanted.
  public record Wanted(
      @Field(value = "the host; all if none is given", form = Form.DOMAIN) @Nullable String host) {}

  /// A provider of a host.
  public record Provider(
      @Field("the host") String host,
      @Field("the name in the settings") String provider,
      @Field("ldap, program, http, jwt, sql, certificate or plugin") String type,
      @Field("the place in the chain of the host, from 1") long place,
      @Field("what it can do") List<String> abilities,
      @Field("whether it answers") boolean answers,
      @Field("since when it does not") @Nullable Instant away,
      @Field("when it is asked again") @Nullable Instant retry,
      @Field("questions that wait for its answer") long running,
      @Field("questions that were answered since the start") long questions,
      @Field("questions that were not") long failed,
      @Field("the time in which half of the answers came, in ms") double p50,
      @Field("the time in which 99 of 100 answers came, in ms") double p99,
      @Field("when a question was not answered for the last time") @Nullable Instant lastFailed,
      @Field("why") @Nullable String error,
      @Field(Field.NODE) @Nullable String node) {}

  /// The providers.
  public record Listed(@Field("the providers") List<Provider> providers) {}

  /// A login to try.
  public record Login(
      @Field("the address of the account") Jid account,
      @Field("the password") Secret password,
      @Field("the provider; all of the chain if none is given") @Nullable String provider) {}

  /// One step.
  public record Step(
      @Field("the provider") String provider,
      @Field("what was done") String step,
      @Field("whether it worked") boolean ok,
      @Field("how long it took, in ms") long millis,
      @Field("what came of it") String text) {}

  /// What a login did.
  public record Tried(
      @Field("whether someone would let them in") boolean accepted,
      @Field("the steps") List<Step> steps) {}

  /// An account.
  public record Chosen(@Field("the address of the account") Jid account) {}

  /// Who keeps an account.
  public record Keeper(
      @Field("the provider; none if the server keeps it itself") @Nullable String provider,
      @Field("what the provider calls the person, whatever their name") @Nullable String id) {}

  /// `provider.list`.
  public static final Operation<Wanted, Listed> LIST =
      Operation.read("provider.list", Right.SERVER)
          .ofNodes()
          .at(
              "GET /providers",
              "List who keeps accounts elsewhere, and how they answer",
              Wanted.class,
              Listed.class);

  /// `provider.test`.
  public static final Operation<Login, Tried> TEST =
      Operation.change("provider.test", Right.ACCOUNTS)
          .at(
              "POST /accounts/{account}/test-login",
              "Try a login at who keeps the account, step by step",
              Login.class,
              Tried.class);

  /// `provider.show`.
  public static final Operation<Chosen, Keeper> SHOW =
      Operation.read("provider.show", Right.ACCOUNTS)
          .at(
              "GET /accounts/{account}/provider",
              "Say who keeps an account",
              Chosen.class,
              Keeper.class);

  /// `provider.unlink`.
  public static final Operation<Chosen, Nothing> UNLINK =
      Operation.change("provider.unlink", Right.ACCOUNTS)
          .at(
              "DELETE /accounts/{account}/provider",
              "Forget who keeps an account: the next who proves to be that account gets it",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, TEST, SHOW, UNLINK);

  private final ProviderChains chains;

  private ProviderOperations(ProviderChains chains) {
    this.chains = chains;
  }

  /// The operations of a server.
  public static List<Offer<?, ?>> of(ProviderChains chains) {
    ProviderOperations operations = new ProviderOperations(chains);
    return List.of(
        LIST.by((_, wanted) -> operations.list(wanted)),
        TEST.by(operations::test),
        SHOW.by((_, chosen) -> operations.show(chosen)),
        UNLINK.by(operations::unlink));
  }

  private Outcome<Listed> list(Wanted wanted) {
    List<Provider> found = new ArrayList<>();
    chains
        .gates()
        .forEach((host, gates) -> {
          Accounts settings = chains.settings(host);
          if (settings != null && (wanted.host() == null || wanted.host().equals(host))) {
            gates.forEach(gate -> found.add(provider(host, settings, gate)));
          }
        });
    return Outcome.done(new Listed(found));
  }

  private static Provider provider(String host, Accounts settings, ProviderGate gate) {
    State state = gate.state();
    TimingCounts times = gate.time().counts();
    return new Provider(
        host,
        gate.name(),
        AccountSources.kind(gate.name(), settings),
        settings.chain().indexOf(gate.name()) + 1L,
        gate.provider().abilities().stream().map(ProviderOperations::word).sorted().toList(),
        state.away() == null,
        state.away(),
        state.retry(),
        state.running(),
        times.count(),
        gate.failed().count(),
        millis(times, 0.5),
        millis(times, 0.99),
        state.lastFailed(),
        state.lastError(),
        null);
  }

  private static double millis(TimingCounts times, double share) {
    return times.count() == 0 ? 0 : Math.round(times.quantile(share).toNanos() / 1e4) / 100.0;
  }

  private static String word(Ability ability) {
    return Value.word(ability);
  }

  private Outcome<Tried> test(Call call, Login login) throws InterruptedException {
    Jid account = login.account().bare();
    List<ProviderGate> gates = chains.gates().get(account.domain());
    String local = account.local();
    if (gates == null || local == null) {
      return Outcome.invalid("account", account + " is no account of this server.");
    }
    if (login.password().text().isEmpty()) {
      return Outcome.invalid("password", "A password is not empty.");
    }
    PasswordQuestion question =
        new PasswordQuestion(account.domain(), local, login.password().text(), null, PAGE);
    List<Step> steps = new ArrayList<>();
    boolean accepted = false;
    for (ProviderGate gate : gates) {
      if (login.provider() == null || login.provider().equals(gate.name())) {
        List<TestStep> tried = gate.provider().test(question);
        tried.forEach(each -> steps.add(step(gate.name(), each)));
        accepted |= !tried.isEmpty() && tried.stream().allMatch(TestStep::ok);
      }
    }
    if (steps.isEmpty()) {
      return Outcome.invalid("provider", "No such provider keeps accounts of this host.");
    }
    call.changed("test", null, accepted ? "accepted" : "not accepted");
    return Outcome.done(new Tried(accepted, steps));
  }

  private static Step step(String provider, TestStep step) {
    return new Step(provider, step.name(), step.ok(), step.took().toMillis(), step.text());
  }

  private Outcome<Keeper> show(Chosen chosen) {
    AccountLinks.Link link = chains.links().find(chosen.account().bare());
    return Outcome.done(
        link == null ? new Keeper(null, null) : new Keeper(link.provider(), link.id()));
  }

  private Outcome<Nothing> unlink(Call call, Chosen chosen) {
    Jid account = chosen.account().bare();
    AccountLinks.Link link = chains.links().find(account);
    if (link == null) {
      return Outcome.conflict("Nobody else keeps " + account + ".");
    }
    chains.links().remove(account);
    call.changed(
        "provider", link.provider() + " " + Objects.requireNonNullElse(link.id(), ""), null);
    return Nothing.done();
  }
}
