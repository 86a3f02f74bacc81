package im.zonda.provider.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.provider.ldap.TestDirectory.Plan;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.database.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// OpenLDAP of Debian with its password policy, over StartTLS and `ldaps`.
final class SlapdTest {
  private static final Path PROGRAM = Path.of("/usr/sbin/slapd");
  private static final Path SCHEMA = Path.of("/etc/ldap/schema");
  private static final int START_TRIES = 300;
  private static final String BASE = "dc=example,dc=org";
  private static final String PEOPLE = "ou=people," + BASE;
  private static final String GROUPS = "ou=groups," + BASE;
  private static final String ADMIN = "cn=admin," + BASE;
  private static final String SERVICE = "cn=zonda," + BASE;
  private static final String SECRET = "north by north-west";

  private static TestAuthority authority;
  private static Process slapd;
  private static int port;
  private static int tlsPort;
  private static Path folder;

  @BeforeAll
  static void start(@TempDir Path made) throws Exception {
    assumeTrue(
        Files.isExecutable(PROGRAM) && Files.isDirectory(SCHEMA),
        PROGRAM + " is missing: the Debian package slapd is not installed");
    folder = made;
    TestAuthority _ = TestAuthority.create(folder);
    authority = TestAuthority.issueWithRsaKey(folder, "directory", List.of("localhost"));
    Path database = Files.createDirectory(folder.resolve("database"));
    Files.writeString(folder.resolve("slapd.conf"), configuration(database));
    port = FreePorts.next();
    tlsPort = FreePorts.next();
    slapd = run();
    fill();
  }

  private static String configuration(Path database) {
    return """
    include /etc/ldap/schema/core.schema
    include /etc/ldap/schema/cosine.schema
    include /etc/ldap/schema/nis.schema
    include /etc/ldap/schema/inetorgperson.schema
    modulepath /usr/lib/ldap
    moduleload back_mdb
    moduleload ppolicy
    TLSCACertificateFile %1$s
    TLSCertificateFile %2$s
    TLSCertificateKeyFile %3$s
    database mdb
    suffix dc=example,dc=org
    rootdn cn=admin,dc=example,dc=org
    rootpw %4$s
    directory %5$s
    overlay ppolicy
    ppolicy_default cn=policy,dc=example,dc=org
    ppolicy_use_lockout
    ppolicy_hash_cleartext
    limits dn.exact=cn=zonda,dc=example,dc=org size=unlimited
    access to attrs=userPassword
      by dn.exact=cn=zonda,dc=example,dc=org write
      by anonymous auth
    access to *
      by dn.exact=cn=zonda,dc=example,dc=org read
      by dn.exact=cn=other,dc=example,dc=org read
    """
        .formatted(
            authority.authority(),
            authority.certificate(),
            authority.key(),
            '"' + SECRET + '"',
            database);
  }

  private static Process run() throws Exception {
    String urls = "ldap://127.0.0.1:" + port + "/ ldaps://127.0.0.1:" + tlsPort + "/";
    String configuration = folder.resolve("slapd.conf").toString();
    Path log = folder.resolve("log");
    // With a level of details, even with none, it stays in the foreground.
    Process started =
        new ProcessBuilder(PROGRAM.toString(), "-d", "0", "-f", configuration, "-h", urls)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    for (int tries = 0; !accepts(port) || !accepts(tlsPort); tries++) {
      // It ends if it cannot start; there is no event for a port that begins to listen.
      if (started.waitFor(100, TimeUnit.MILLISECONDS) || tries > START_TRIES) {
        started.destroyForcibly().onExit().join();
        throw new AssertionError("no start: " + Files.readString(log));
      }
    }
    return started;
  }

  @AfterAll
  static void stop() {
    if (slapd != null) {
      slapd.destroyForcibly().onExit().join();
    }
  }

  private static void fill() throws Exception {
    add(BASE, "objectClass: domain");
    add(PEOPLE, "objectClass: organizationalUnit");
    add(GROUPS, "objectClass: organizationalUnit");
    for (String service : List.of(SERVICE, "cn=other," + BASE)) {
      add(
          service,
          "objectClass: organizationalRole",
          "objectClass: simpleSecurityObject",
          "userPassword: " + SECRET);
    }
    add(
        "cn=policy," + BASE,
        "objectClass: device",
        "objectClass: pwdPolicy",
        "pwdAttribute: 2.5.4.35",
        "pwdLockout: TRUE",
        "pwdMaxFailure: 3",
        "pwdLockoutDuration: 3600",
        "pwdMinLength: 5",
        "pwdCheckQuality: 2",
        "pwdMustChange: TRUE");
    for (String name : List.of("romeo", "juliet", "tybalt", "Paris", "mercutio", "benvolio")) {
      add(
          "uid=" + name + "," + PEOPLE,
          "objectClass: inetOrgPerson",
          "cn: " + name + " of Verona",
          "sn: of Verona",
          "userPassword: the one of " + name);
    }
    add(
        "cn=lovers," + GROUPS,
        "objectClass: groupOfNames",
        "member: uid=romeo," + PEOPLE,
        "member: uid=juliet," + PEOPLE);
    add("cn=chat," + GROUPS, "objectClass: groupOfNames", "member: cn=lovers," + GROUPS);
    add("cn=unix," + GROUPS, "objectClass: posixGroup", "gidNumber: 7", "memberUid: tybalt");
  }

  private static LDAPConnection admin() throws Exception {
    return new LDAPConnection("127.0.0.1", port, ADMIN, SECRET);
  }

  private static void add(String dn, String... lines) throws Exception {
    String[] ldif = new String[lines.length + 1];
    ldif[0] = "dn: " + dn;
    System.arraycopy(lines, 0, ldif, 1, lines.length);
    try (LDAPConnection admin = admin()) {
      assertThat(admin.add(ldif).getResultCode().intValue()).isZero();
    }
  }

  private static void modify(String dn, String... lines) throws Exception {
    String[] ldif = new String[lines.length + 2];
    ldif[0] = "dn: " + dn;
    ldif[1] = "changetype: modify";
    System.arraycopy(lines, 0, ldif, 2, lines.length);
    try (LDAPConnection admin = admin()) {
      assertThat(admin.modify(ldif).getResultCode().intValue()).isZero();
    }
  }

  private static Plan plan(String server) {
    Plan plan = new Plan(List.of(server)).tls(authority.authority());
    plan.bindDn = SERVICE;
    plan.bindPassword = SECRET;
    plan.base = PEOPLE;
    plan.groupBase = GROUPS;
    return plan;
  }

  private static Plan plan() {
    return plan("ldap://localhost:" + port);
  }

  private static PasswordQuestion question(String local, String password) {
    return new PasswordQuestion("example.org", local, password, null, "PLAIN");
  }

  private static Verdict check(Plan plan, String local, String password) throws Exception {
    try (LdapProvider provider = plan.provider()) {
      return provider.checkPassword(question(local, password));
    }
  }

  private static ProvidedAccount accepted(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Accepted.class);
    return ((Verdict.Accepted) verdict).account();
  }

  @Test
  void logins() throws Exception {
    for (String server : List.of("ldap://localhost:" + port, "ldaps://localhost:" + tlsPort)) {
      ProvidedAccount romeo = accepted(check(plan(server), "romeo", "the one of romeo"));
      assertThat(romeo.id()).matches("[0-9a-f-]{36}");
      assertThat(romeo.name()).isEqualTo("romeo of Verona");
      assertThat(romeo.disabled()).isFalse();
      assertThat(accepted(check(plan(server), "paris", "the one of Paris")).local())
          .isEqualTo("paris");
      assertThat(check(plan(server), "romeo", "another"))
          .isEqualTo(new Verdict.Wrong("wrong password"));
      assertThat(check(plan(server), "rosaline", "x")).isEqualTo(Verdict.UNKNOWN);
      assertThat(check(plan(server), "*)(uid=*", "x")).isEqualTo(Verdict.UNKNOWN);
      assertThat(check(plan(server), "romeo", "")).isInstanceOf(Verdict.Wrong.class);
      assertThat(accepted(check(plan(server), "romeo", "the one of romeo")).id())
          .isEqualTo(romeo.id());
    }
  }

  @Test
  void aCertificateMustNameTheHost() {
    assertThatThrownBy(() -> check(plan("ldap://127.0.0.1:" + port), "romeo", "x"))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("127.0.0.1");
  }

  @Test
  void groups() throws Exception {
    try (LdapProvider provider = plan().provider()) {
      List<ProvidedGroup> all =
          provider.groups("example.org").stream()
              .sorted(Comparator.comparing(ProvidedGroup::name))
              .toList();
      assertThat(all).extracting(ProvidedGroup::name).containsExactly("chat", "lovers", "unix");
      assertThat(all.get(0).members()).containsExactlyInAnyOrder("romeo", "juliet");
      assertThat(all.get(1).members()).isEqualTo(all.get(0).members());
      assertThat(all.get(2).members()).containsExactly("tybalt");
    }
    Plan plan = plan();
    plan.requiredGroup = "cn=chat," + GROUPS;
    try (LdapProvider provider = plan.provider()) {
      assertThat(accepted(provider.find("example.org", "romeo")).disabled()).isFalse();
      assertThat(accepted(provider.find("example.org", "tybalt")).disabled()).isTrue();
      plan.requiredGroup = "cn=unix," + GROUPS;
    }
    try (LdapProvider provider = plan.provider()) {
      assertThat(accepted(provider.find("example.org", "tybalt")).disabled()).isFalse();
    }
  }

  @Test
  void aPasswordIsChangedAndThePolicyIsObeyed() throws Exception {
    Plan plan = plan();
    plan.setPassword = true;
    try (LdapProvider provider = plan.provider()) {
      assertThat(provider.setPassword("example.org", "mercutio", "four")).isFalse();
      assertThat(provider.setPassword("example.org", "mercutio", "a plague on both")).isTrue();
      // The policy wants one that is set by others changed.
      modify("uid=mercutio," + PEOPLE, "replace: pwdReset", "pwdReset: FALSE");
      assertThat(accepted(provider.checkPassword(question("mercutio", "a plague on both"))).local())
          .isEqualTo("mercutio");
      modify("uid=mercutio," + PEOPLE, "replace: pwdReset", "pwdReset: TRUE");
      assertThat(provider.checkPassword(question("mercutio", "a plague on both")))
          .isEqualTo(new Verdict.Wrong("the password must be changed first"));
    }
    Plan other = plan();
    other.bindDn = "cn=other," + BASE;
    other.setPassword = true;
    try (LdapProvider provider = other.provider()) {
      assertThatThrownBy(() -> provider.setPassword("example.org", "mercutio", "another one"))
          .isInstanceOf(ProviderException.class)
          .hasMessageStartingWith("setting a password: ");
    }
  }

  @Test
  void aLockAfterWrongPasswordsDoesNotDisable() throws Exception {
    try (LdapProvider provider = plan().provider()) {
      for (int i = 0; i < 3; i++) {
        assertThat(provider.checkPassword(question("tybalt", "no" + i)))
            .isInstanceOf(Verdict.Wrong.class);
      }
      assertThat(provider.checkPassword(question("tybalt", "the one of tybalt")))
          .isEqualTo(new Verdict.Wrong("the account is locked"));
      assertThat(accepted(provider.find("example.org", "tybalt")).disabled()).isFalse();
      modify(
          "uid=benvolio," + PEOPLE,
          "replace: pwdAccountLockedTime",
          "pwdAccountLockedTime: 000001010000Z");
      assertThat(accepted(provider.find("example.org", "benvolio")).disabled()).isTrue();
      assertThat(provider.checkPassword(question("benvolio", "the one of benvolio")))
          .isEqualTo(new Verdict.Wrong("the account is locked"));
    }
  }

  @Test
  void aRenamedPersonKeepsTheIdAndAnotherGetsAnother() throws Exception {
    add(
        "uid=peter," + PEOPLE,
        "objectClass: inetOrgPerson",
        "cn: P",
        "sn: P",
        "userPassword: peter");
    try (LdapProvider provider = plan().provider();
        LDAPConnection admin = admin()) {
      String id = accepted(provider.find("example.org", "peter")).id();
      assertThat(
              admin.modifyDN("uid=peter," + PEOPLE, "uid=petra", true).getResultCode().intValue())
          .isZero();
      assertThat(accepted(provider.find("example.org", "petra")).id()).isEqualTo(id);
      add(
          "uid=peter," + PEOPLE,
          "objectClass: inetOrgPerson",
          "cn: Q",
          "sn: Q",
          "userPassword: other");
      assertThat(accepted(provider.checkPassword(question("peter", "other"))).id())
          .isNotEqualTo(id);
      assertThat(admin.delete("uid=petra," + PEOPLE).getResultCode().intValue()).isZero();
      assertThat(admin.delete("uid=peter," + PEOPLE).getResultCode().intValue()).isZero();
      assertThat(provider.find("example.org", "petra")).isEqualTo(Verdict.UNKNOWN);
    }
  }

  @Test
  void aServerThatIsKilledIsUsedAgainWhenItIsBack() throws Exception {
    try (LdapProvider provider = plan().provider()) {
      assertThat(accepted(provider.checkPassword(question("romeo", "the one of romeo"))).local())
          .isEqualTo("romeo");
      slapd.destroyForcibly().onExit().join();
      assertThatThrownBy(() -> provider.checkPassword(question("romeo", "the one of romeo")))
          .isInstanceOf(ProviderException.class);
      slapd = run();
      assertThat(accepted(provider.checkPassword(question("romeo", "the one of romeo"))).local())
          .isEqualTo("romeo");
    }
  }

  @Test
  void aTrialNamesTheStepThatFails() throws Exception {
    try (LdapProvider provider = plan().provider()) {
      assertThat(provider.test(question("romeo", "the one of romeo")))
          .allMatch(TestStep::ok)
          .extracting(TestStep::name)
          .containsExactly("connect", "tls", "bind", "search", "dn", "login");
    }
    Plan plan = plan();
    plan.bindPassword = "another";
    try (LdapProvider provider = plan.provider()) {
      TestStep last = provider.test(question("romeo", "the one of romeo")).getLast();
      assertThat(last.name()).isEqualTo("bind");
      assertThat(last.text()).isEqualTo("invalid credentials");
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
