package im.zonda.app.accounts;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import im.zonda.app.StandardModules;
import im.zonda.config.accounts.Accounts;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.server.ServerPlan;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// A directory in the test's process, and servers that ask it before their own accounts.
final class StaffDirectory implements AutoCloseable {
  private static final String BASE = "ou=people,dc=example,dc=org";

  private final InMemoryDirectoryServer server;

  StaffDirectory() throws Exception {
    InMemoryDirectoryServerConfig plan = new InMemoryDirectoryServerConfig("dc=example,dc=org");
    plan.setSchema(null);
    plan.setListenerConfigs(
        InMemoryListenerConfig.createLDAPConfig(
            "plain", InetAddress.getLoopbackAddress(), 0, null));
    server = new InMemoryDirectoryServer(plan);
    server.add("dn: dc=example,dc=org", "objectClass: domain", "dc: example");
    server.add("dn: " + BASE, "objectClass: organizationalUnit", "ou: people");
    server.startListening();
  }

  void add(String name, String password) throws Exception {
    server.add(
        "dn: uid=" + name + "," + BASE,
        "objectClass: inetOrgPerson",
        "uid: " + name,
        "cn: " + name,
        "sn: " + name,
        "userPassword: " + password);
  }

  void remove(String name) throws Exception {
    server.delete("uid=" + name + "," + BASE);
  }

  /// Answers nobody from now on.
  void stop() {
    server.shutDown(true);
  }

  /// The settings of a host with these people.
  Accounts accounts() {
    LdapAccounts staff =
        RecordCopy.with(
            RecordCopy.with(
                RecordCopy.with(
                    LdapAccounts.NONE,
                    "servers",
                    List.of("ldap://127.0.0.1:" + server.getListenPort())),
                "startTls",
                false),
            "base",
            BASE);
    Accounts accounts =
        RecordCopy.with(Accounts.DEFAULTS, "chain", List.of("staff", Accounts.INTERNAL));
    return RecordCopy.with(
        RecordCopy.with(accounts, "timeLimit", Duration.ofSeconds(1)),
        "ldap",
        Map.of("staff", staff));
  }

  /// The same, with answers that are not kept and people who are looked up all the time.
  Accounts impatient() {
    return RecordCopy.with(
        RecordCopy.with(accounts(), "refresh", Duration.ofMillis(1)), "cache", Duration.ZERO);
  }

  /// Servers of `example.org` that ask it.
  ServerPlan plan(Accounts settings) {
    return ServerPlan.of(StandardModules::create)
        .withConfig(config -> config.withAccounts(settings))
        .withProviders(new AccountSources(InstantSource.system()));
  }

  @Override
  public void close() {
    server.close();
  }
}
