package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.OccupantIds;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminItemsTest {
  private static final Jid COVEN = Jid.of("coven@rooms.example.org");
  private static final Jid CRONE = Jid.of("crone@example.org/desktop");
  private static final Jid WICCA = Jid.of("wicca@example.org/laptop");
  private static final Jid HAG = Jid.of("hag@example.org/pda");
  private static final Jid SPRITE = Jid.of("sprite@example.org");

  private final Affiliations affiliations = new Affiliations();
  private final Room room =
      new Room(
          COVEN, Instant.EPOCH, RoomConfig.of(Rooms.DEFAULTS), affiliations, SPRITE::equals, false);

  @BeforeEach
  void occupants() {
    affiliations.set(CRONE.bare(), Affiliation.OWNER, null, null);
    affiliations.set(WICCA.bare(), Affiliation.ADMIN, "secondwitch", null);
    room.enter(CRONE, COVEN.withResource("firstwitch"), new OccupantIds.Id(0, 1));
    room.enter(WICCA, COVEN.withResource("secondwitch"), new OccupantIds.Id(0, 2));
    room.enter(HAG, COVEN.withResource("thirdwitch"), new OccupantIds.Id(0, 3));
  }

  /// Returns the error of a request with these items, or null; then `changes` has its changes.
  private @Nullable String refused(Jid session, String... items) {
    return refused(100, session, items);
  }

  private @Nullable String refused(int most, Jid session, String... items) {
    AdminItems all = new AdminItems(room, Requester.of(room, session), most);
    for (String item : items) {
      StanzaError error = all.add(item(item));
      if (error != null) {
        return error.condition().elementName();
      }
    }
    StanzaError error = all.check();
    changes = all.changes().affiliations();
    roles = all.changes().roles().size();
    return error == null ? null : error.condition().elementName();
  }

  private static Element item(String attributes) {
    return TestXml.element("<item xmlns='" + MucNames.ADMIN + "' " + attributes + "/>");
  }

  private List<AffiliationChange> changes = List.of();
  private int roles;

  @Test
  void fullAddressesAreCutToBareOnes() {
    assertThat(refused(CRONE, "affiliation='member' jid='hag@example.org/pda'")).isNull();
    assertThat(changes)
        .containsExactly(new AffiliationChange(HAG.bare(), Affiliation.MEMBER, null, null));
  }

  @Test
  void aNicknameStandsForItsUser() {
    assertThat(refused(WICCA, "affiliation='outcast' nick='thirdwitch'")).isNull();
    assertThat(changes)
        .containsExactly(new AffiliationChange(HAG.bare(), Affiliation.OUTCAST, null, null));
    assertThat(refused(WICCA, "affiliation='outcast' nick='nobody'")).isEqualTo("item-not-found");
  }

  @Test
  void rolesAreByNicknameOrFullAddress() {
    assertThat(refused(CRONE, "role='none' nick='thirdwitch'")).isNull();
    assertThat(roles).isEqualTo(1);
    assertThat(refused(CRONE, "role='none' nick='THIRDWITCH'")).isNull();
    assertThat(refused(CRONE, "role='none' jid='hag@example.org/pda'")).isNull();
    assertThat(refused(CRONE, "role='none' jid='hag@example.org/elsewhere'"))
        .isEqualTo("item-not-found");
    assertThat(refused(CRONE, "role='none' nick='nobody'")).isEqualTo("item-not-found");
    assertThat(refused(CRONE, "role='none'")).isEqualTo("item-not-found");
  }

  @Test
  void unprivilegedRequestersLearnNothing() {
    assertThat(refused(HAG, "role='none' nick='nobody'")).isEqualTo("forbidden");
    assertThat(refused(HAG, "role='none' jid='@'")).isEqualTo("forbidden");
    assertThat(refused(HAG, "affiliation='outcast' nick='nobody'")).isEqualTo("forbidden");
  }

  @Test
  void malformedItemsAreRejected() {
    assertThat(refused(CRONE, "nick='thirdwitch'")).isEqualTo("bad-request");
    assertThat(refused(CRONE, "role='king' nick='thirdwitch'")).isEqualTo("bad-request");
    assertThat(refused(CRONE, "affiliation='king' jid='hag@example.org'")).isEqualTo("bad-request");
    assertThat(refused(CRONE, "affiliation='member' jid='@'")).isEqualTo("jid-malformed");
    assertThat(refused(CRONE, "role='none' jid='@'")).isEqualTo("jid-malformed");
  }

  @Test
  void roleAndAffiliationDoNotChangeTogether() {
    assertThat(refused(CRONE, "affiliation='member' role='visitor' nick='thirdwitch'"))
        .isEqualTo("bad-request");
    assertThat(
            refused(
                CRONE,
                "affiliation='member' jid='hag@example.org'",
                "role='visitor' nick='thirdwitch'"))
        .isEqualTo("bad-request");
  }

  @Test
  void twoItemsForOneUserAreRejected() {
    assertThat(
            refused(
                CRONE,
                "affiliation='member' jid='hag@example.org'",
                "affiliation='none' jid='hag@example.org/pda'"))
        .isEqualTo("bad-request");
    assertThat(
            refused(
                CRONE, "role='visitor' nick='thirdwitch'", "role='none' jid='hag@example.org/pda'"))
        .isEqualTo("bad-request");
  }

  @Test
  void row73_theLastOwnerStays() {
    assertThat(refused(CRONE, "affiliation='admin' jid='crone@example.org'")).isEqualTo("conflict");
    assertThat(
            refused(
                CRONE,
                "affiliation='none' jid='crone@example.org/any'",
                "affiliation='owner' jid='hag@example.org'"))
        .isNull();
  }

  @Test
  void domainsAreMembersOrOutcasts() {
    assertThat(refused(WICCA, "affiliation='outcast' jid='example.net'")).isNull();
    assertThat(refused(CRONE, "affiliation='member' jid='example.net'")).isNull();
    assertThat(refused(CRONE, "affiliation='admin' jid='example.net'")).isEqualTo("not-allowed");
    assertThat(refused(CRONE, "affiliation='member' jid='example.net' nick='all'"))
        .isEqualTo("not-acceptable");
  }

  @Test
  void serviceAdministratorsStayOwners() {
    assertThat(refused(CRONE, "affiliation='outcast' jid='sprite@example.org'"))
        .isEqualTo("not-allowed");
    assertThat(refused(CRONE, "affiliation='owner' jid='sprite@example.org'")).isNull();
  }

  @Test
  void nicknamesAreReservedWithMembership() {
    assertThat(refused(WICCA, "affiliation='member' jid='hag@example.org' nick='thirdwitch'"))
        .isNull();
    assertThat(changes)
        .containsExactly(new AffiliationChange(HAG.bare(), Affiliation.MEMBER, "thirdwitch", null));
    assertThat(refused(WICCA, "affiliation='member' jid='hag@example.org' nick='firstwitch'"))
        .isEqualTo("conflict");
    assertThat(refused(WICCA, "affiliation='member' jid='hag@example.org' nick='secondwitch'"))
        .isEqualTo("conflict");
    assertThat(
            refused(
                WICCA,
                "affiliation='member' jid='a@example.org' nick='new'",
                "affiliation='member' jid='b@example.org' nick='New'"))
        .isEqualTo("conflict");
    assertThat(refused(WICCA, "affiliation='member' jid='hag@example.org' nick=' '"))
        .isEqualTo("not-acceptable");
  }

  @Test
  void aReservedNicknameIsKeptUntilItIsRemoved() {
    assertThat(refused(CRONE, "affiliation='member' jid='wicca@example.org'")).isNull();
    assertThat(changes)
        .containsExactly(
            new AffiliationChange(WICCA.bare(), Affiliation.MEMBER, "secondwitch", null));
    assertThat(refused(CRONE, "affiliation='member' jid='wicca@example.org' nick=''")).isNull();
    assertThat(changes)
        .containsExactly(new AffiliationChange(WICCA.bare(), Affiliation.MEMBER, null, null));
    assertThat(refused(CRONE, "affiliation='outcast' jid='wicca@example.org'")).isNull();
    assertThat(changes)
        .containsExactly(new AffiliationChange(WICCA.bare(), Affiliation.OUTCAST, null, null));
  }

  @Test
  void affiliationsAreLimited() {
    assertThat(refused(2, CRONE, "affiliation='member' jid='hag@example.org'"))
        .isEqualTo("resource-constraint");
    assertThat(refused(2, CRONE, "affiliation='member' jid='wicca@example.org'")).isNull();
    assertThat(
            refused(
                2,
                CRONE,
                "affiliation='none' jid='wicca@example.org'",
                "affiliation='member' jid='hag@example.org'"))
        .isNull();
  }

  @Test
  void reasonsAreLimited() {
    AdminItems items = new AdminItems(room, Requester.of(room, CRONE), 100);
    StanzaError error =
        items.add(
            TestXml.element(
                "<item xmlns='"
                    + MucNames.ADMIN
                    + "' role='none' nick='thirdwitch'><reason>"
                    + "x".repeat(1_001)
                    + "</reason></item>"));
    assertThat(error).isNotNull();
    if (error != null) {
      assertThat(error.condition().elementName()).isEqualTo("not-acceptable");
    }
  }
}
