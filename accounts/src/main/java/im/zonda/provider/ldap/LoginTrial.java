package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.provider.ldap.Entries.NoAccountException;
import im.zonda.provider.ldap.People.Person;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One login step by step, with a connection of its own. Confined to one thread; used once.
final class LoginTrial {
  private final LdapAccounts settings;
  private final Servers servers;
  private final Entries entries;
  private final People people;
  private final PasswordQuestion question;
  private final List<TestStep> steps = new ArrayList<>();
  private long began = System.nanoTime();

  LoginTrial(
      LdapAccounts settings,
      Servers servers,
      Entries entries,
      People people,
      PasswordQuestion question) {
    this.settings = settings;
    this.servers = servers;
    this.entries = entries;
    this.people = people;
    this.question = question;
  }

  /// Makes the steps until one fails.
  List<TestStep> run() throws InterruptedException {
    try (Link link = connect()) {
      if (link != null && bind(link)) {
        Person person = search(link);
        if (person != null) {
          login(link, person);
        }
      }
    } catch (ProviderException e) {
      add("search", false, String.valueOf(e.getMessage()));
    }
    return List.copyOf(steps);
  }

  private void add(String name, boolean ok, String text) {
    long now = System.nanoTime();
    steps.add(new TestStep(name, ok, Duration.ofNanos(now - began), text));
    began = now;
  }

  /// The first server that answers; those that do not are steps that failed.
  private @Nullable Link connect() throws InterruptedException {
    List<ServerAddress> all;
    try {
      all = servers.inOrder();
    } catch (ProviderException e) {
      add("connect", false, String.valueOf(e.getMessage()));
      return null;
    }
    for (ServerAddress server : all) {
      boolean[] connected = {false};
      try {
        LDAPConnection connection =
            servers.connect(
                server,
                Links.ANSWER_BYTES,
                (step, text) -> {
                  connected[0] = true;
                  add(step, true, text);
                });
        return new Link(server, connection);
      } catch (IOException e) {
        String text = server + " " + Failures.clean(String.valueOf(e.getMessage()));
        add(connected[0] ? "tls" : "connect", false, text);
      }
    }
    return null;
  }

  private boolean bind(Link link) {
    try {
      servers.bind(link.connection());
      String name = settings.bindDn();
      add("bind", true, name == null ? "without a name" : "as " + name);
      return true;
    } catch (LDAPException e) {
      add("bind", false, Failures.text(e));
      return false;
    }
  }

  private @Nullable Person search(Link link) throws ProviderException {
    String text = entries.account(question.domain(), question.local()).toNormalizedString();
    String what = Failures.clean(text) + " below " + settings.base();
    if (!People.isLocal(question.domain(), question.local())) {
      add("search", false, "that is not the local part of an address, prepared");
      return null;
    }
    try {
      Person person = people.find(link, question.domain(), question.local());
      if (person == null) {
        add("search", false, "no entry matches " + what);
        return null;
      }
      add("search", true, "one entry matches " + what);
      String id = person.account().id();
      add(
          "dn",
          !person.account().disabled(),
          Failures.clean(person.dn())
              + (id == null ? ", which has no stable id" : ", id " + id)
              + (person.account().disabled() ? ", which is disabled" : ""));
      return person;
    } catch (NoAccountException e) {
      add("search", false, String.valueOf(e.getMessage()));
      return null;
    } catch (LDAPException e) {
      add("search", false, Failures.text(e));
      return null;
    }
  }

  private void login(Link link, Person person) throws ProviderException, InterruptedException {
    if (!PasswordBind.isUsable(question.password())) {
      add("login", false, "the password is empty, or cannot be one of a directory");
      return;
    }
    String step = "groups";
    try {
      // Before the bind, which takes the rights of the server's own name from the connection.
      boolean member = !people.admitted(link, person).account().disabled();
      String group = settings.requiredGroup();
      if (group != null) {
        boolean ok = member || person.account().disabled();
        add(step, ok, (ok ? "in " : "neither in nor in a group in ") + group);
      }
      step = "login";
      String refusal = PasswordBind.refusal(link, person.dn(), question.password());
      add(step, refusal == null, refusal == null ? "the password is right" : refusal);
    } catch (LDAPException e) {
      Failures.interrupted();
      add(step, false, Failures.text(e));
    }
  }
}
