package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.GuestAddress;
import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.muc.home.RoomConfigForm.BadFormException;
import im.zonda.module.muc.home.TestForms;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.RoomConfig;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnerFormTest {
  private static final String ADMINS = "muc#roomconfig_roomadmins";
  private static final String OWNERS = "muc#roomconfig_roomowners";
  private static final String MEMBERS_ONLY = "muc#roomconfig_membersonly";
  private static final Jid CRONE = Jid.of("crone@example.org");
  private static final Jid HECATE = Jid.of("hecate@example.org");
  private static final Jid WICCA = Jid.of("wicca@example.org");

  private final Room room = room();

  private static Room room() {
    Affiliations affiliations = new Affiliations();
    affiliations.set(CRONE, Affiliation.OWNER, null, null);
    affiliations.set(HECATE, Affiliation.OWNER, "hecate", null);
    affiliations.set(WICCA, Affiliation.ADMIN, "secondwitch", null);
    return new Room(
        Jid.of("coven@rooms.example.org"),
        Instant.EPOCH,
        RoomConfig.of(Rooms.DEFAULTS),
        affiliations,
        user -> false,
        false);
  }

  private List<String> people(String... fields) throws BadFormException {
    RoomConfig config = TestForms.config(room.config(), fields);
    return OwnerForm.findAffiliationChanges(TestForms.form(fields), room, config).stream()
        .map(change -> change.user().local() + "=" + change.affiliation().value())
        .toList();
  }

  /// Whose address is nobody's when the session has ended.
  @Test
  void guestsAreNotAffiliated() {
    String guest = GuestAddress.of(Jid.of("example.org"), 1, 1).toString();
    for (String list : List.of(ADMINS, OWNERS)) {
      assertThatThrownBy(() -> people(list, CRONE + "," + guest))
          .isInstanceOf(BadFormException.class)
          .hasMessage(guest + " is a guest, who has no account to be affiliated");
    }
  }

  @Test
  void missingListsChangeNothing() throws BadFormException {
    assertThat(people()).isEmpty();
    assertThat(people("muc#roomconfig_roomname", "A Dark Cave")).isEmpty();
  }

  @Test
  void anUnchangedFormChangesNothing() throws BadFormException {
    assertThat(OwnerForm.findAffiliationChanges(OwnerForm.write(room, 20_000), room, room.config()))
        .isEmpty();
  }

  @Test
  void usersMissingFromAListLoseTheAffiliation() throws BadFormException {
    assertThat(people(ADMINS, "hag@example.org")).containsExactly("wicca=none", "hag=admin");
    assertThat(people(ADMINS, "")).containsExactly("wicca=none");
    assertThat(people(ADMINS, "", MEMBERS_ONLY, "1")).containsExactly("wicca=member");
  }

  @Test
  void aFormerOwnerIsAnAdminUnlessTheListSaysOtherwise() throws BadFormException {
    assertThat(people(OWNERS, "crone@example.org")).containsExactly("hecate=admin");
    assertThat(people(OWNERS, "crone@example.org", ADMINS, "wicca@example.org"))
        .containsExactly("hecate=none");
    assertThat(people(OWNERS, "crone@example.org", ADMINS, "wicca@example.org,hecate@example.org"))
        .containsExactly("hecate=admin");
  }

  @Test
  void aUserOnBothListsIsAnOwner() throws BadFormException {
    assertThat(
            people(
                OWNERS, "crone@example.org,hecate@example.org,wicca@example.org",
                ADMINS, "wicca@example.org"))
        .containsExactly("wicca=owner");
    assertThat(people(ADMINS, "wicca@example.org,crone@example.org")).isEmpty();
  }

  @Test
  void addressesAreCutToBareOnes() throws BadFormException {
    assertThat(people(ADMINS, "wicca@example.org/laptop, ,hag@example.org/pda"))
        .containsExactly("hag=admin");
  }

  @Test
  void reservedNicknamesAreKept() throws BadFormException {
    String[] fields = {ADMINS, "wicca@example.org", OWNERS, "crone@example.org,wicca@example.org"};
    assertThat(OwnerForm.findAffiliationChanges(TestForms.form(fields), room, room.config()))
        .contains(new Room.AffiliationChange(WICCA, Affiliation.OWNER, "secondwitch", null))
        .contains(new Room.AffiliationChange(HECATE, Affiliation.NONE, null, null));
  }

  @Test
  void addressesWithoutAUserAreRejected() {
    assertThatThrownBy(() -> people(ADMINS, "example.org")).isInstanceOf(BadFormException.class);
    assertThatThrownBy(() -> people(OWNERS, "@")).isInstanceOf(BadFormException.class);
  }

  @Test
  void statusCodesNameTheChange() {
    RoomConfig before = room.config();
    assertThat(codes(before)).isEmpty();
    assertThat(codes(before, "muc#roomconfig_roomname", "A Dark Cave")).containsExactly(104);
    assertThat(
            codes(
                before,
                "muc#roomconfig_passwordprotectedroom",
                "1",
                "muc#roomconfig_roomsecret",
                "cauldronburn"))
        .containsExactly(104);
    assertThat(codes(before, "muc#roomconfig_enablelogging", "0")).containsExactly(171);
    assertThat(codes(before, "muc#roomconfig_whois", "anyone")).containsExactly(172);
    RoomConfig open =
        TestForms.config(
            before, "muc#roomconfig_whois", "anyone", "muc#roomconfig_enablelogging", "0");
    assertThat(OwnerForm.codes(open, before)).containsExactly(170, 173);
  }

  private static List<Integer> codes(RoomConfig before, String... fields) {
    return OwnerForm.codes(before, TestForms.config(before, fields));
  }
}
