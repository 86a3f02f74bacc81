package im.zonda.provider.ldap;

import static im.zonda.provider.ldap.TestDirectory.BASE;
import static im.zonda.provider.ldap.TestDirectory.GROUPS;
import static im.zonda.provider.ldap.TestDirectory.PEOPLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.provider.ldap.TestDirectory.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Groups of a directory.
final class LdapGroupsTest {
  private TestDirectory directory;

  @BeforeEach
  void start() throws Exception {
    directory = TestDirectory.start();
  }

  @AfterEach
  void stop() {
    directory.close();
  }

  private Plan plan() {
    Plan plan = directory.plan();
    plan.groupBase = GROUPS;
    return plan;
  }

  private static List<ProvidedGroup> groups(Plan plan) throws Exception {
    try (LdapProvider provider = plan.provider()) {
      return provider.groups("example.org").stream()
          .sorted(Comparator.comparing(ProvidedGroup::name))
          .toList();
    }
  }

  @Test
  void groupsOfAllClassesHaveTheirMembers() throws Exception {
    directory.group("names", "UID=romeo, " + PEOPLE, "uid=juliet," + PEOPLE, "uid=gone," + PEOPLE);
    directory.add(
        "cn=posix," + GROUPS,
        "objectClass: posixGroup",
        "cn: posix",
        "memberUid: Juliet",
        "memberUid: gone");
    directory.add(
        "cn=unique," + GROUPS,
        "objectClass: groupOfUniqueNames",
        "cn: unique",
        "uniqueMember: uid=romeo," + PEOPLE,
        "uniqueMember: not a name");
    directory.add("cn=nobody," + GROUPS, "objectClass: organizationalRole", "cn: nobody");
    List<ProvidedGroup> all = groups(plan());
    assertThat(all).extracting(ProvidedGroup::name).containsExactly("names", "posix", "unique");
    assertThat(all.get(0).members()).containsExactlyInAnyOrder("romeo", "juliet");
    assertThat(all.get(1).members()).containsExactly("juliet");
    assertThat(all.get(2).members()).containsExactly("romeo");
    String id = directory.uuid("cn=names," + GROUPS);
    assertThat(all.get(0).id()).isEqualTo(id);
  }

  @Test
  void groupsInGroupsGiveTheirMembersOnceAndEnd() throws Exception {
    directory.group("chat", "cn=a," + GROUPS, "uid=juliet," + PEOPLE);
    directory.group("a", "cn=b," + GROUPS, "cn=chat," + GROUPS);
    directory.group("b", "cn=a," + GROUPS, "uid=romeo," + PEOPLE, "uid=juliet," + PEOPLE);
    Plan plan = plan();
    plan.groupFilter = "(cn=chat)";
    List<ProvidedGroup> all = groups(plan);
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().members()).containsExactlyInAnyOrder("romeo", "juliet");
  }

  @Test
  void whoIsDisabledOrHasNoUsableNameIsInNoGroup() throws Exception {
    directory.person("paris", "x", "nsAccountLock: true");
    directory.add("cn=odd," + PEOPLE, "objectClass: person", "uid: not a local part");
    directory.group("chat", "uid=paris," + PEOPLE, "cn=odd," + PEOPLE, "uid=romeo," + PEOPLE);
    assertThat(groups(plan()).getFirst().members()).containsExactly("romeo");
  }

  @Test
  void morePeopleThanAPageAreAllRead() throws Exception {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < 1_203; i++) {
      members.add(directory.person("p" + i, "x"));
    }
    directory.group("all", members.toArray(String[]::new));
    assertThat(groups(plan()).getFirst().members()).hasSize(1_203);
  }

  @Test
  void withoutAPlaceForGroupsThereAreNone() throws Exception {
    directory.group("chat", "uid=romeo," + PEOPLE);
    assertThat(groups(directory.plan())).isEmpty();
    Plan plan = plan();
    plan.groupBase = "ou=nowhere," + BASE;
    assertThatThrownBy(() -> groups(plan)).isInstanceOf(ProviderException.class);
  }
}
