package im.zonda.provider.ldap;

import static im.zonda.provider.ldap.TestDirectory.GROUPS;
import static im.zonda.provider.ldap.TestDirectory.PEOPLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.provider.ldap.TestDirectory.Plan;
import im.zonda.testkit.database.TestAuthority;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logins by a directory.
final class LdapLoginTest {
  private static TestAuthority authority;

  private TestDirectory directory;

  @BeforeAll
  static void makeCertificates(@TempDir Path folder) {
    authority = TestAuthority.create(folder);
  }

  @BeforeEach
  void start() throws Exception {
    directory = TestDirectory.start(authority, 0);
  }

  @AfterEach
  void stop() {
    directory.close();
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

  private static String wrong(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Wrong.class);
    return ((Verdict.Wrong) verdict).reason();
  }

  @Test
  void aRightPasswordGivesTheAccount() throws Exception {
    ProvidedAccount romeo = accepted(check(directory.plan(), "romeo", "montague"));
    String id = directory.uuid("uid=romeo," + PEOPLE);
    assertThat(romeo)
        .isEqualTo(new ProvidedAccount("romeo", id, false, "Romeo Montague", "romeo@example.net"));
    assertThat(accepted(check(directory.plan(), "juliet", "capulet")).name())
        .isEqualTo("Juliet Capulet");
  }

  @Test
  void aWrongPasswordIsWrongAndAnotherNameIsUnknown() throws Exception {
    assertThat(wrong(check(directory.plan(), "romeo", "capulet"))).isEqualTo("wrong password");
    assertThat(check(directory.plan(), "tybalt", "capulet")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void connectionsAreEncryptedByStartTlsAndByLdaps() throws Exception {
    Plan start = directory.plan().tls(authority.authority());
    assertThat(accepted(check(start, "romeo", "montague")).local()).isEqualTo("romeo");
    Plan direct = new Plan(List.of(directory.ldaps())).tls(authority.authority());
    assertThat(accepted(check(direct, "romeo", "montague")).local()).isEqualTo("romeo");
    direct.startTls = false;
    assertThat(accepted(check(direct, "romeo", "montague")).local()).isEqualTo("romeo");
  }

  @Test
  void oneProviderAnswersManyOneAfterAnother() throws Exception {
    try (LdapProvider provider = directory.plan().tls(authority.authority()).provider()) {
      for (int i = 0; i < 20; i++) {
        assertThat(wrong(provider.checkPassword(question("romeo", "no" + i))))
            .isEqualTo("wrong password");
        assertThat(accepted(provider.checkPassword(question("romeo", "montague"))).local())
            .isEqualTo("romeo");
        assertThat(accepted(provider.find("example.org", "juliet")).local()).isEqualTo("juliet");
      }
    }
  }

  @Test
  void theCaseOfANameInTheDirectoryDoesNotMatter() throws Exception {
    directory.person("Mercutio", "queen mab");
    assertThat(accepted(check(directory.plan(), "mercutio", "queen mab")).local())
        .isEqualTo("mercutio");
    // Not prepared: nobody has that address.
    assertThat(check(directory.plan(), "Mercutio", "queen mab")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aFilterExcludesPeople() throws Exception {
    Plan plan = directory.plan();
    plan.filter = "(displayName=*)";
    assertThat(accepted(check(plan, "romeo", "montague")).local()).isEqualTo("romeo");
    assertThat(check(plan, "juliet", "capulet")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void withMailTheWholeAddressIsCompared() throws Exception {
    directory.person("u17", "nurse", "mail: Angelica@Example.ORG");
    Plan plan = directory.plan();
    plan.attribute = "mail";
    assertThat(accepted(check(plan, "angelica", "nurse")).local()).isEqualTo("angelica");
    // Of another domain.
    assertThat(check(plan, "romeo", "montague")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void twoEntriesAreAnErrorThatSaysSo() throws Exception {
    directory.add("ou=guests," + PEOPLE, "objectClass: organizationalUnit");
    directory.add(
        "cn=other,ou=guests," + PEOPLE, "objectClass: person", "uid: romeo", "userPassword: x");
    assertThat(wrong(check(directory.plan(), "romeo", "montague")))
        .startsWith("two entries have the uid of romeo: ")
        .contains("uid=romeo,", "cn=other,");
    try (LdapProvider provider = directory.plan().provider()) {
      assertThatThrownBy(() -> provider.find("example.org", "romeo"))
          .isInstanceOf(ProviderException.class)
          .hasMessageStartingWith("two entries");
    }
  }

  @Test
  void ofSeveralNamesTheOneOfTheEntryCounts() throws Exception {
    directory.person("benvolio", "peace", "uid: ben");
    assertThat(accepted(check(directory.plan(), "benvolio", "peace")).local())
        .isEqualTo("benvolio");
    assertThat(check(directory.plan(), "ben", "peace")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aPersonWhoIsLockedForGoodIsDisabled() throws Exception {
    directory.person("paris", "count", "pwdAccountLockedTime: 000001010000Z");
    directory.person("tybalt", "cats", "nsAccountLock: TRUE");
    directory.person("peter", "fan", "shadowExpire: 1");
    directory.person("nurse", "anon", "pwdAccountLockedTime: 20260101000000Z", "shadowExpire: -1");
    try (LdapProvider provider = directory.plan().provider()) {
      for (String name : List.of("paris", "tybalt", "peter")) {
        assertThat(accepted(provider.find("example.org", name)).disabled()).as(name).isTrue();
      }
      // Wrong passwords lock for a while; that must not sign out anybody.
      assertThat(accepted(provider.find("example.org", "nurse")).disabled()).isFalse();
    }
  }

  @Test
  void someoneWhoIsNotInTheRequiredGroupIsDisabled() throws Exception {
    directory.group("chat", "cn=montagues," + GROUPS);
    directory.group("montagues", "cn=young," + GROUPS, "cn=chat," + GROUPS);
    directory.group("young", "uid=romeo," + PEOPLE);
    Plan plan = directory.plan();
    plan.requiredGroup = "CN=chat, " + GROUPS;
    assertThat(accepted(check(plan, "romeo", "montague")).disabled()).isFalse();
    assertThat(accepted(check(plan, "juliet", "capulet")).disabled()).isTrue();
    plan.requiredGroup = "cn=none," + GROUPS;
    assertThatThrownBy(() -> check(plan, "romeo", "montague"))
        .isInstanceOf(ProviderException.class)
        .hasMessage("there is no group cn=none," + GROUPS);
  }

  @Test
  void aRequiredGroupCanListNames() throws Exception {
    directory.add("cn=posix," + GROUPS, "objectClass: posixGroup", "cn: posix", "memberUid: romeo");
    directory.add(
        "cn=unique," + GROUPS,
        "objectClass: groupOfUniqueNames",
        "uniqueMember: UID=juliet," + PEOPLE);
    Plan plan = directory.plan();
    plan.requiredGroup = "cn=posix," + GROUPS;
    assertThat(accepted(check(plan, "romeo", "montague")).disabled()).isFalse();
    assertThat(accepted(check(plan, "juliet", "capulet")).disabled()).isTrue();
    plan.requiredGroup = "cn=unique," + GROUPS;
    assertThat(accepted(check(plan, "juliet", "capulet")).disabled()).isFalse();
  }

  @Test
  void aPasswordIsSetIfTheSettingsSaySo() throws Exception {
    Plan plan = directory.plan();
    try (LdapProvider provider = plan.provider()) {
      assertThat(provider.abilities()).containsExactlyInAnyOrder(Ability.PASSWORD, Ability.FIND);
      assertThat(provider.setPassword("example.org", "romeo", "rosaline")).isFalse();
    }
    plan.setPassword = true;
    plan.groupBase = GROUPS;
    try (LdapProvider provider = plan.provider()) {
      assertThat(provider.abilities())
          .containsExactlyInAnyOrder(
              Ability.PASSWORD, Ability.FIND, Ability.SET_PASSWORD, Ability.GROUPS);
      assertThat(provider.setPassword("example.org", "romeo", "rosaline")).isTrue();
      assertThat(provider.setPassword("example.org", "tybalt", "rosaline")).isFalse();
      assertThat(provider.setPassword("example.org", "romeo", "")).isFalse();
    }
    assertThat(accepted(check(plan, "romeo", "rosaline")).local()).isEqualTo("romeo");
    assertThat(wrong(check(plan, "romeo", "montague"))).isEqualTo("wrong password");
  }

  @Test
  void aTrialSaysWhatEachStepDid() throws Exception {
    directory.group("chat", "uid=romeo," + PEOPLE);
    Plan plan = directory.plan().tls(authority.authority());
    plan.requiredGroup = "cn=chat," + GROUPS;
    assertThat(steps(plan, "romeo", "montague"))
        .containsExactly(
            "connect true",
            "tls true",
            "bind true",
            "search true",
            "dn true",
            "groups true",
            "login true");
    assertThat(steps(plan, "romeo", "rosaline")).endsWith("groups true", "login false");
    assertThat(steps(plan, "juliet", "capulet")).endsWith("groups false", "login true");
    assertThat(steps(plan, "tybalt", "cats")).endsWith("bind true", "search false");
    plan.bindPassword = "rosaline";
    assertThat(steps(plan, "romeo", "montague")).endsWith("tls true", "bind false");
    plan.authorities = null;
    assertThat(steps(plan, "romeo", "montague")).containsExactly("connect true", "tls false");
    plan.servers = List.of("ldap://localhost:1");
    assertThat(steps(plan, "romeo", "montague")).containsExactly("connect false");
  }

  private static List<String> steps(Plan plan, String local, String password) throws Exception {
    try (LdapProvider provider = plan.provider()) {
      List<TestStep> steps = provider.test(question(local, password));
      assertThat(steps)
          .allSatisfy(step -> {
            assertThat(step.text())
                .doesNotContain(password, Objects.requireNonNull(plan.bindPassword));
            assertThat(step.took()).isPositive();
          });
      return steps.stream().map(step -> step.name() + " " + step.ok()).toList();
    }
  }

  @Test
  void aWrongNameOfTheServerIsAFailureThatNamesIt() {
    Plan plan = directory.plan();
    plan.bindPassword = "not this one";
    assertThatThrownBy(() -> check(plan, "romeo", "montague"))
        .isInstanceOf(ProviderException.class)
        .hasMessageStartingWith("the directory refuses bind-dn " + TestDirectory.SERVICE)
        .hasMessageNotContaining("not this one");
    Plan base = directory.plan();
    base.base = "ou=nowhere," + TestDirectory.BASE;
    assertThatThrownBy(() -> check(base, "romeo", "montague"))
        .hasMessage("the directory has no " + base.base);
  }
}
