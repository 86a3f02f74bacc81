package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPException;
import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.provider.ldap.Entries.NoAccountException;
import im.zonda.provider.ldap.People.Person;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Accounts of a directory: people are found by a search, and passwords are checked by a bind.
///
/// The connections of searches are bound by the name of the settings and those of passwords by the
/// last login, so they are never mixed.
public final class LdapProvider implements AccountProvider {
  private final LdapAccounts settings;
  private final Set<Ability> abilities;
  private final Servers servers;
  private final Entries entries;
  private final People people;
  private final Links searches;
  private final Links binds;

  private LdapProvider(
      LdapAccounts settings, InstantSource clock, @Nullable InetSocketAddress resolver) {
    this.settings = settings;
    this.abilities = Set.copyOf(abilities(settings));
    this.servers = new Servers(settings, resolver);
    this.entries = new Entries(settings, clock);
    this.people = new People(settings, entries);
    this.searches = new Links(servers, true, settings.connections());
    this.binds = new Links(servers, false, settings.connections());
  }

  /// Creates a provider; connections are made when they are needed.
  ///
  /// @param clock tells whether an account has expired
  /// @throws IllegalArgumentException if a setting is not what [LdapSyntax] says
  public static LdapProvider of(LdapAccounts settings, InstantSource clock) {
    return of(settings, clock, null);
  }

  /// @param resolver the name server of `srv`; null for those of the machine
  static LdapProvider of(
      LdapAccounts settings, InstantSource clock, @Nullable InetSocketAddress resolver) {
    return new LdapProvider(settings, clock, resolver);
  }

  private static Set<Ability> abilities(LdapAccounts settings) {
    Set<Ability> all = EnumSet.of(Ability.PASSWORD, Ability.FIND);
    if (settings.groupBase() != null) {
      all.add(Ability.GROUPS);
    }
    if (settings.setPassword()) {
      all.add(Ability.SET_PASSWORD);
    }
    return all;
  }

  @Override
  public Set<Ability> abilities() {
    return abilities;
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    if (!PasswordBind.isUsable(question.password())) {
      return new Verdict.Wrong("the password is empty, or cannot be one of a directory");
    }
    try {
      Person person = look(question.domain(), question.local());
      if (person == null) {
        return Verdict.UNKNOWN;
      }
      String refusal = refusal(person.dn(), question.password());
      return refusal == null
          ? new Verdict.Accepted(admitted(person).account())
          : new Verdict.Wrong(refusal);
    } catch (NoAccountException e) {
      // Of this account alone: a failure would count against the whole directory.
      return new Verdict.Wrong(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    try {
      Person person = look(domain, local);
      return person == null ? Verdict.UNKNOWN : new Verdict.Accepted(admitted(person).account());
    } catch (NoAccountException e) {
      throw new ProviderException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public boolean setPassword(String domain, String local, String password)
      throws ProviderException, InterruptedException {
    if (!settings.setPassword() || !PasswordBind.isUsable(password)) {
      return false;
    }
    try {
      Person person = look(domain, local);
      return person != null
          && searches.with(
              link -> PasswordChange.set(link, entries.isActiveDirectory(), person.dn(), password));
    } catch (NoAccountException e) {
      throw new ProviderException(String.valueOf(e.getMessage()), e);
    } catch (LDAPException e) {
      throw Failures.of("setting a password", e);
    }
  }

  @Override
  public List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    String base = settings.groupBase();
    if (base == null) {
      return List.of();
    }
    // Its own connection: answers are large, and logins must not wait.
    try (Link link = servers.open(true, Groups.ANSWER_BYTES)) {
      return new Groups(settings, entries, domain, link).read(base);
    } catch (LDAPException e) {
      throw Failures.of("reading groups", e);
    }
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    return new LoginTrial(settings, servers, entries, people, question).run();
  }

  private @Nullable Person look(String domain, String local)
      throws ProviderException, NoAccountException, InterruptedException {
    if (!People.isLocal(domain, local)) {
      return null;
    }
    try {
      Looked looked =
          searches.with(link -> {
            try {
              return new Looked(people.find(link, domain, local), null);
            } catch (NoAccountException e) {
              return new Looked(null, e); // the connection is good
            }
          });
      if (looked.reason != null) {
        throw looked.reason;
      }
      return looked.person;
    } catch (LDAPException e) {
      throw Failures.of("searching", e);
    }
  }

  private record Looked(@Nullable Person person, @Nullable NoAccountException reason) {}

  private @Nullable String refusal(String dn, String password)
      throws ProviderException, InterruptedException {
    try {
      return binds.with(link -> new Answer(PasswordBind.refusal(link, dn, password))).refusal;
    } catch (LDAPException e) {
      throw Failures.of("checking a password", e);
    }
  }

  private record Answer(@Nullable String refusal) {}

  private Person admitted(Person person) throws ProviderException, InterruptedException {
    if (!people.requiresGroup()) {
      return person;
    }
    try {
      return searches.with(link -> people.admitted(link, person));
    } catch (LDAPException e) {
      throw Failures.of("looking up the required group", e);
    }
  }

  @Override
  public void close() {
    searches.close();
    binds.close();
  }
}
