package im.zonda.auth.provider;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.auth.Passwords;
import im.zonda.auth.provider.AccountLinks.Link;
import im.zonda.config.accounts.Accounts;
import im.zonda.jid.Jid;
import im.zonda.store.ScramKeys;
import java.net.InetAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whom one host asks about a login, one after another, and what is kept of their answers. Any
/// thread may call; what asks blocks.
///
/// An account that a provider keeps is asked there only. Others are looked for along the chain: the
/// first who has the account decides. Who does not answer is passed over, and if nobody behind has
/// the account, the login can be tried again later.
public final class ProviderChain {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderChain.class);

  private final List<Step> steps;
  private final Accounts settings;
  private final FirstLogin firstLogin;
  private final Set<Ability> abilities;
  private final Set<String> hashes;

  /// One in the chain.
  sealed interface Step {
    /// The accounts that the server keeps itself.
    record Own() implements Step {}

    /// A provider.
    record Provider(ProviderGate gate, KeptAnswers kept) implements Step {
      boolean can(Ability ability) {
        return gate.provider().abilities().contains(ability);
      }
    }
  }

  /// Checks a password of an account that the server keeps itself.
  public interface OwnCheck {
    boolean isRight() throws InterruptedException;
  }

  /// A chain without steps admits nobody.
  ///
  /// @param ownHashes the hashes of which all accounts that the server keeps itself have keys
  ProviderChain(List<Step> steps, Accounts settings, FirstLogin firstLogin, Set<String> ownHashes) {
    this.steps = List.copyOf(steps);
    this.settings = settings;
    this.firstLogin = firstLogin;
    this.hashes = Set.copyOf(hashes(steps, ownHashes));
    this.abilities = abilities(steps, hashes);
  }

  /// SCRAM needs keys of all who have a password: a client that chooses SCRAM counts its failure as
  /// a wrong password.
  private static Set<String> hashes(List<Step> steps, Set<String> ownHashes) {
    Set<String> common = new LinkedHashSet<>(Passwords.HASHES);
    for (Step step : steps) {
      switch (step) {
        case Step.Own _ -> common.retainAll(ownHashes);
        case Step.Provider provider -> {
          if (provider.can(Ability.SCRAM_KEYS)) {
            common.retainAll(provider.gate().provider().hashes());
          } else if (provider.can(Ability.PASSWORD)) {
            common.clear();
          }
        }
      }
    }
    return common;
  }

  private static Set<Ability> abilities(List<Step> steps, Set<String> hashes) {
    Set<Ability> all = EnumSet.noneOf(Ability.class);
    for (Step step : steps) {
      switch (step) {
        case Step.Own _ -> {
          all.add(Ability.PASSWORD);
          all.add(Ability.SCRAM_KEYS);
        }
        case Step.Provider provider -> all.addAll(provider.gate().provider().abilities());
      }
    }
    if (hashes.isEmpty()) {
      all.remove(Ability.SCRAM_KEYS);
    }
    return all;
  }

  /// What at least one of the chain can do, and SCRAM only if all can.
  public Set<Ability> abilities() {
    return EnumSet.copyOf(abilities);
  }

  /// The hashes for which SCRAM is offered.
  public Set<String> hashes() {
    return hashes;
  }

  /// Where clients get tokens; null if nowhere.
  public @Nullable URI issuer() {
    return providers().stream()
        .map(each -> each.gate().provider().issuer())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /// The providers in their order.
  List<Step.Provider> providers() {
    return steps.stream()
        .filter(Step.Provider.class::isInstance)
        .map(Step.Provider.class::cast)
        .toList();
  }

  private Step.@Nullable Provider provider(String name) {
    return providers().stream()
        .filter(each -> each.gate().name().equals(name))
        .findFirst()
        .orElse(null);
  }

  // ---- passwords

  /// Checks a password.
  ///
  /// @param account a bare address
  /// @param mechanism the SASL mechanism, or `page`
  /// @param own checks the password of an account that the server keeps itself
  public Admission checkPassword(
      Jid account, String password, @Nullable InetAddress address, String mechanism, OwnCheck own)
      throws InterruptedException {
    PasswordQuestion question =
        new PasswordQuestion(
            account.domain(),
            Objects.requireNonNull(account.local()),
            password,
            address,
            mechanism);
    Link link = firstLogin.links().find(account);
    Step.Provider keeper = link == null ? null : provider(link.provider());
    return walk(
        keeper == null ? steps : List.of(keeper),
        step ->
            switch (step) {
              case Step.Own _ ->
                  link != null || !firstLogin.exists(account)
                      ? null
                      : own.isRight()
                          ? new Admission.Admitted(account, true)
                          : new Admission.Refused("password");
              case Step.Provider provider ->
                  provider.can(Ability.PASSWORD)
                      ? admission(provider, checkPassword(provider, account, question), account)
                      : null;
            });
  }

  private interface Asking {
    @Nullable Admission ask(Step step) throws ProviderException, InterruptedException;
  }

  /// Asks one after another until someone decides.
  private static Admission walk(List<Step> steps, Asking asking) throws InterruptedException {
    String unavailable = null;
    for (Step step : steps) {
      try {
        Admission found = asking.ask(step);
        if (found != null) {
          return found;
        }
      } catch (ProviderException e) {
        unavailable = e.getMessage();
      }
    }
    return unavailable == null
        ? new Admission.Refused("no such account")
        : new Admission.Unavailable(unavailable);
  }

  private Verdict checkPassword(Step.Provider provider, Jid account, PasswordQuestion question)
      throws ProviderException, InterruptedException {
    KeptAnswers kept = provider.kept();
    KeptAnswers.Proved proved = kept.proved(account, question.password());
    if (proved != null && proved.age().compareTo(settings.cache()) <= 0) {
      return new Verdict.Accepted(proved.account());
    }
    if (kept.isWrong(account, question.password())) {
      return new Verdict.Wrong("password, as a moment ago");
    }
    Verdict verdict;
    try {
      verdict = provider.gate().ask(asked -> asked.checkPassword(question));
    } catch (ProviderException e) {
      if (proved != null && proved.age().compareTo(settings.grace()) <= 0) {
        LOG.atInfo()
            .addKeyValue("account", account)
            .addKeyValue("provider", provider.gate().name())
            .log("login_by_grace");
        return new Verdict.Accepted(proved.account());
      }
      throw e;
    }
    switch (verdict) {
      case Verdict.Accepted(ProvidedAccount answer) ->
          kept.keepRight(account, question.password(), answer);
      case Verdict.Wrong _ -> kept.keepWrong(account, question.password());
      case Verdict.Unknown _ -> kept.forgetUnknown(account);
    }
    return verdict;
  }

  /// @param claimed the account that the client has named; null if the provider names it
  private @Nullable Admission admission(
      Step.Provider provider, Verdict verdict, @Nullable Jid claimed) {
    return switch (verdict) {
      case Verdict.Accepted(ProvidedAccount answer) ->
          firstLogin.admit(provider.gate().name(), answer, claimed, settings.adopt());
      case Verdict.Wrong(String reason) -> new Admission.Refused(reason);
      case Verdict.Unknown _ -> null;
    };
  }

  // ---- tokens, certificates, keys

  /// Asks those who take tokens.
  public Admission checkToken(String token) throws InterruptedException {
    return walk(
        steps,
        step ->
            step instanceof Step.Provider provider && provider.can(Ability.TOKEN)
                ? admission(
                    provider,
                    provider.gate().ask(asked -> asked.checkToken(firstLogin.domain(), token)),
                    null)
                : null);
  }

  /// Asks those who take certificates.
  public Admission checkCertificate(@Nullable String local, List<X509Certificate> certificates)
      throws InterruptedException {
    return walk(
        steps,
        step ->
            step instanceof Step.Provider provider && provider.can(Ability.CERTIFICATE)
                ? admission(
                    provider,
                    provider
                        .gate()
                        .ask(asked ->
                            asked.checkCertificate(firstLogin.domain(), local, certificates)),
                    local == null ? null : firstLogin.account(local))
                : null);
  }

  /// SCRAM keys that a provider has of the account; empty if it is not one of a provider.
  ///
  /// @throws ProviderException if one who may have it does not answer
  public List<ScramKeys> keys(Jid account) throws ProviderException, InterruptedException {
    Link link = firstLogin.links().find(account);
    if (link == null && firstLogin.exists(account)) {
      return List.of();
    }
    String local = Objects.requireNonNull(account.local());
    for (Step.Provider each : providers()) {
      boolean mayHave = link == null || link.provider().equals(each.gate().name());
      if (mayHave && each.can(Ability.SCRAM_KEYS)) {
        List<ScramKeys> keys = each.gate().ask(asked -> asked.keys(account.domain(), local));
        if (!keys.isEmpty()) {
          return keys;
        }
      }
    }
    return List.of();
  }

  /// The account was proved by keys of [#keys].
  public Admission admit(Jid account) throws InterruptedException {
    Link link = firstLogin.links().find(account);
    if (link == null && firstLogin.exists(account)) {
      return new Admission.Admitted(account, true);
    }
    String local = Objects.requireNonNull(account.local());
    return walk(
        steps,
        step -> {
          if (!(step instanceof Step.Provider provider)
              || !provider.can(Ability.SCRAM_KEYS)
              || (link != null && !link.provider().equals(provider.gate().name()))) {
            return null;
          }
          Verdict verdict =
              provider.can(Ability.FIND)
                  ? provider.gate().ask(asked -> asked.find(account.domain(), local))
                  : new Verdict.Accepted(ProvidedAccount.of(local));
          return admission(provider, verdict, account);
        });
  }

  // ---- who is gone

  /// Whether the provider of an account has disabled it, or no longer has it. False if there is no
  /// answer: what was proved before goes on.
  public boolean isGone(Jid account) throws InterruptedException {
    Link link = firstLogin.links().find(account);
    if (link == null) {
      return false;
    }
    Step.Provider provider = provider(link.provider());
    if (provider == null) {
      return true; // the host has no longer accounts from there
    }
    if (!provider.can(Ability.FIND)) {
      return false;
    }
    KeptAnswers.Found kept = provider.kept().found(account);
    if (kept != null && kept.age().compareTo(settings.cache()) <= 0) {
      return isGone(kept.account(), link);
    }
    try {
      return isGone(look(provider, account), link);
    } catch (ProviderException e) {
      return kept != null && isGone(kept.account(), link);
    }
  }

  /// Looks an account up, whatever was kept; null if the provider does not have it.
  private static @Nullable ProvidedAccount look(Step.Provider provider, Jid account)
      throws ProviderException, InterruptedException {
    String local = Objects.requireNonNull(account.local());
    Verdict verdict = provider.gate().ask(asked -> asked.find(account.domain(), local));
    ProvidedAccount found =
        switch (verdict) {
          case Verdict.Accepted(ProvidedAccount answer) -> answer;
          case Verdict.Wrong(String reason) -> throw new ProviderException(reason);
          case Verdict.Unknown _ -> null;
        };
    provider.kept().keepFound(account, found);
    return found;
  }

  private static boolean isGone(@Nullable ProvidedAccount account, Link link) {
    return account == null
        || account.disabled()
        || (link.id() != null && account.id() != null && !link.id().equals(account.id()));
  }

  /// Looks whether someone who is online is gone; false if that is not known.
  boolean lookAgain(Jid account) throws InterruptedException {
    Link link = firstLogin.links().find(account);
    Step.Provider provider = link == null ? null : provider(link.provider());
    if (link == null || provider == null || !provider.can(Ability.FIND)) {
      return link != null && provider == null;
    }
    try {
      return isGone(look(provider, account), link);
    } catch (ProviderException e) {
      return false;
    }
  }

  /// Sets the password where the account is kept, and ends what was proved by the one before.
  ///
  /// @return whether it was set; false too if the server keeps the account itself
  /// @throws ProviderException if the provider does not answer
  public boolean setPassword(Jid account, String password)
      throws ProviderException, InterruptedException {
    Link link = firstLogin.links().find(account);
    Step.Provider provider = link == null ? null : provider(link.provider());
    if (provider == null || !provider.can(Ability.SET_PASSWORD)) {
      return false;
    }
    String local = Objects.requireNonNull(account.local());
    boolean set =
        provider.gate().ask(asked -> asked.setPassword(account.domain(), local, password));
    if (set) {
      provider.kept().forget(account);
      firstLogin.renew(account);
    }
    return set;
  }
}
