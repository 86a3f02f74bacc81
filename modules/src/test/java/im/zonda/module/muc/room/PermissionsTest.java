package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Rooms;
import im.zonda.module.muc.home.TestForms;
import im.zonda.module.muc.room.Permissions.Privileges;
import im.zonda.stanza.ErrorCondition;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The tables of XEP-0045, sections 5.1.3 and 5.2.3, and the sentences of sections 8 to 10.
class PermissionsTest {
  /// `actor` and `target` have the form affiliation/role.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # kick: section 8.2
          none/moderator   | none/participant   | none        | -
          none/moderator   | none/visitor       | none        | -
          none/moderator   | member/participant | none        | not-allowed
          none/moderator   | none/moderator     | none        | not-allowed
          none/moderator   | admin/moderator    | none        | not-allowed
          member/moderator | member/participant | none        | -
          member/moderator | admin/moderator    | none        | not-allowed
          member/moderator | owner/moderator    | none        | not-allowed
          admin/moderator  | none/moderator     | none        | -
          admin/moderator  | admin/moderator    | none        | -
          admin/moderator  | owner/moderator    | none        | not-allowed
          owner/moderator  | owner/moderator    | none        | -
          none/participant | none/visitor       | none        | forbidden
          member/visitor   | none/visitor       | none        | forbidden
          none/none        | none/visitor       | none        | forbidden
          owner/none       | none/participant   | none        | forbidden
          # voice: sections 8.3 and 8.4
          none/moderator   | none/visitor       | participant | -
          none/moderator   | member/visitor     | participant | -
          none/moderator   | none/participant   | visitor     | -
          none/moderator   | member/participant | visitor     | not-allowed
          none/moderator   | admin/moderator    | visitor     | not-allowed
          admin/moderator  | member/participant | visitor     | -
          owner/moderator  | admin/moderator    | visitor     | not-allowed
          none/participant | none/visitor       | participant | forbidden
          admin/none       | none/visitor       | participant | forbidden
          # moderators: sections 5.1.3, 9.6 and 9.7
          admin/moderator  | none/visitor       | moderator   | -
          admin/none       | none/participant   | moderator   | -
          owner/moderator  | member/participant | moderator   | -
          none/moderator   | none/participant   | moderator   | forbidden
          member/participant | none/participant | moderator   | forbidden
          admin/moderator  | member/moderator   | participant | -
          admin/moderator  | none/moderator     | visitor     | -
          none/moderator   | none/moderator     | participant | forbidden
          none/moderator   | none/moderator     | visitor     | forbidden
          admin/moderator  | admin/moderator    | participant | not-allowed
          admin/moderator  | owner/moderator    | participant | not-allowed
          owner/moderator  | admin/moderator    | participant | not-allowed
          none/participant | owner/moderator    | participant | forbidden
          """)
  void roleChangesAreAllowedOrRejected(
      String actor, String target, String wanted, String expected) {
    Role role = Role.of(wanted);
    assertThat(role).isNotNull();
    if (role != null) {
      assertThat(word(Permissions.role(privileges(actor), privileges(target), role, false)))
          .isEqualTo(expected);
    }
  }

  @Test
  void aModeratorMayKickItself() {
    Privileges moderator = privileges("none/moderator");
    assertThat(Permissions.role(moderator, moderator, Role.NONE, true)).isNull();
    Privileges visitor = privileges("none/visitor");
    assertThat(Permissions.role(visitor, visitor, Role.NONE, true))
        .isEqualTo(ErrorCondition.FORBIDDEN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # table of section 5.2.3
          admin  | none    | outcast | -
          admin  | member  | outcast | -
          admin  | outcast | none    | -
          admin  | outcast | member  | -
          admin  | none    | member  | -
          admin  | member  | none    | -
          # section 9.1: no ban from below
          admin  | owner   | outcast | not-allowed
          admin  | admin   | outcast | not-allowed
          # sections 10.6 and 10.8: the staff is the owners' business
          admin  | none    | admin   | forbidden
          admin  | none    | owner   | forbidden
          admin  | outcast | admin   | forbidden
          admin  | admin   | member  | forbidden
          admin  | admin   | none    | forbidden
          admin  | owner   | admin   | forbidden
          admin  | owner   | none    | forbidden
          owner  | none    | admin   | -
          owner  | outcast | owner   | -
          owner  | admin   | none    | -
          owner  | admin   | outcast | -
          owner  | owner   | admin   | -
          owner  | owner   | member  | -
          owner  | owner   | none    | -
          owner  | owner   | outcast | -
          # nobody else at all
          member | none    | member  | forbidden
          member | none    | outcast | forbidden
          member | member  | none    | forbidden
          none   | none    | member  | forbidden
          none   | outcast | none    | forbidden
          outcast | outcast | none   | forbidden
          """)
  void affiliationChangesAreAllowedOrRejected(
      String actor, String target, String wanted, String expected) {
    ErrorCondition refused =
        Permissions.affiliation(
            affiliation(actor), affiliation(target), affiliation(wanted), false);
    assertThat(word(refused)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(names = {"ADMIN", "OWNER"})
  void nobodyMayBanThemselves(Affiliation affiliation) {
    assertThat(Permissions.affiliation(affiliation, affiliation, Affiliation.OUTCAST, true))
        .isEqualTo(ErrorCondition.CONFLICT);
  }

  @Test
  void anOwnerMayStepDown() {
    assertThat(
            Permissions.affiliation(Affiliation.OWNER, Affiliation.OWNER, Affiliation.NONE, true))
        .isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # list   | room | requester              | may
          outcast  | semi | admin/none         | true
          outcast  | semi | member/moderator   | false
          outcast  | open | member/participant | false
          member   | semi | admin/none         | true
          member   | semi | member/participant | false
          member   | semi | none/moderator     | false
          member   | open | none/none          | false
          member   | open | outcast/none       | false
          member   | open | member/none        | true
          member   | open | none/participant   | true
          member   | open | none/visitor       | false
          member   | open | member/visitor     | false
          admin    | semi | owner/none         | true
          admin    | semi | admin/moderator    | false
          admin    | open | admin/none         | true
          admin    | open | none/none          | false
          owner    | semi | owner/moderator    | true
          owner    | semi | admin/moderator    | false
          owner    | open | member/participant | true
          owner    | open | none/none          | false
          """)
  void row71_listsAreForThoseWhoMaySeeThem(
      String list, String room, String requester, boolean expected) {
    RoomConfig config = config(room.equals("open"));
    assertThat(Permissions.maySee(affiliation(list), config, privileges(requester)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          participant | none/moderator     | true
          participant | none/participant   | false
          participant | owner/none         | false
          visitor     | member/moderator   | true
          moderator   | member/moderator   | false
          moderator   | admin/none         | true
          """)
  void row71_listsByRoleAreForModeratorsOrAdmins(String list, String requester, boolean expected) {
    Role role = Role.of(list);
    assertThat(role).isNotNull();
    if (role != null) {
      assertThat(Permissions.maySee(role, privileges(requester))).isEqualTo(expected);
    }
  }

  /// Visitors may not see the member list.
  private static RoomConfig config(boolean nonAnonymous) {
    return TestForms.config(
        RoomConfig.of(Rooms.DEFAULTS),
        "muc#roomconfig_whois",
        nonAnonymous ? "anyone" : "moderators",
        "muc#roomconfig_getmemberlist",
        "moderator,participant");
  }

  private static Privileges privileges(String text) {
    String[] parts = text.split("/", -1);
    Role role = Role.of(parts[1]);
    if (role == null) {
      throw new IllegalArgumentException(text);
    }
    return new Privileges(affiliation(parts[0]), role);
  }

  private static Affiliation affiliation(String word) {
    return Affiliation.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static String word(@Nullable ErrorCondition condition) {
    return condition == null ? "-" : condition.elementName();
  }
}
