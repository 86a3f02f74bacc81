package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One value of a room that cannot be read costs the room that value.
class RoomRepositoryTest {
  private final TestRoom test = new TestRoom();

  private void save(String inside) {
    Message message =
        TestXml.message(
            "<message type='groupchat' id='s' from='coven@rooms.example.org/hag'>"
                + "<subject>Spells</subject>"
                + inside
                + "</message>");
    test.repository.save(
        test.live(), test.room().config(), new Subject(message, Instant.EPOCH), List.of());
  }

  private Room reopened() {
    RoomHome home = test.repository.open(TestRoom.JID);
    return Objects.requireNonNull(home.live()).room();
  }

  private void damage(UnaryOperator<String> change) {
    RoomStore store = test.context.stores().rooms();
    RoomStore.Room room = Objects.requireNonNull(store.find(TestRoom.JID)).room();
    String damaged = change.apply(room.settings());
    assertThat(damaged).isNotEqualTo(room.settings());
    store.save(
        new RoomStore.Room(
            room.jid(),
            room.creator(),
            room.created(),
            room.persistent(),
            room.listed(),
            room.name(),
            damaged),
        List.of());
  }

  private boolean isUsed() {
    RoomStore.Stored stored =
        Objects.requireNonNull(test.context.stores().rooms().find(TestRoom.JID));
    boolean used = reopened().isUsed();
    assertThat(stored.room().persistent()).as("what the search for leftovers sees").isEqualTo(used);
    return used;
  }

  @Test
  void aRoomThatIsNotUsedIsNoneAfterARestartEither() {
    save(""); // the subject
    assertThat(isUsed()).isFalse();
    assertThat(reopened().isOver()).isTrue();
    test.repository.use(test.live());
    assertThat(isUsed()).isTrue();
    assertThat(reopened().isOver()).isFalse();
  }

  @Test
  void anAffiliationOrAnotherConfigurationIsUse() {
    test.repository.save(
        test.live(),
        test.room().config(),
        null,
        List.of(
            new Room.AffiliationChange(Jid.of("hag@example.org"), Affiliation.MEMBER, null, null)));
    assertThat(isUsed()).isTrue();
    TestRoom other = new TestRoom();
    RoomConfig before = other.room().config();
    other.configure(form -> form.text("muc#roomconfig_roomname", "", "A Dark Cave"));
    RoomConfig after = other.room().config();
    other.room().configure(before);
    other.repository.save(other.live(), after, null, List.of());
    assertThat(other.room().isUsed()).isTrue();
  }

  /// It says nothing about its use.
  @Test
  void aRoomOfAnEarlierVersionStays() {
    damage(settings -> settings.replace(" unused='true'", "").replace(" unused=\"true\"", ""));
    assertThat(reopened().isOver()).isFalse();
  }

  private static void assertOwned(Room room) {
    assertThat(room.affiliationOf(Jid.of("crone@example.org"))).isEqualTo(Affiliation.OWNER);
  }

  @Test
  void aSubjectIsReadAgain() {
    save("<x xmlns='urn:x'/>");
    Subject subject = Objects.requireNonNull(reopened().subject());
    assertThat(subject.time()).isEqualTo(Instant.EPOCH);
    assertThat(subject.message().toElement().toString()).contains("Spells", "urn:x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<subject>|<subject", "time='1970|time='x", "<message |<massage "})
  void aSubjectThatCannotBeReadIsNone(String damage) {
    save("");
    String[] parts = damage.split("\\|", -1);
    damage(settings -> settings.replace(parts[0], parts[1]));
    assertThat(reopened().subject()).isNull();
    assertOwned(reopened());
  }

  /// Quotes in the name of a namespace can be longer when they are written.
  @Test
  void aSubjectIsStoredSuchThatItCanBeRead() {
    save("<p:a xmlns:p=\"" + "'".repeat(1_000) + "\"/>");
    Subject subject = Objects.requireNonNull(reopened().subject());
    assertThat(subject.message().payloads()).isNotEmpty();
    assertThat(Objects.requireNonNull(subject.message().payload(MucNames.SUBJECT)).text())
        .isEqualTo("Spells");
    assertOwned(reopened());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<hats",
        "<hats xmlns='urn:xmpp:hats:0'><worn uri='urn:a' jid='@@'/>"
            + "<hat uri='urn:b' title='B'/></hats>"
      })
  void hatsThatCannotBeReadAreNone(String stored) {
    test.context
        .keyValues("hats")
        .put(TestRoom.JID, "all", stored.getBytes(StandardCharsets.UTF_8));
    assertThat(reopened().hats().assignments()).isEmpty();
    assertOwned(reopened());
  }

  @Test
  void aMessageThatDeclaresALongNamespaceIsInTheHistory() {
    List<Long> ids = new ArrayList<>();
    for (String inside : List.of("<p:a xmlns:p=\"" + "'".repeat(1_000) + "\"/>", "")) {
      long id = test.context.stores().messages().nextId();
      ids.add(id);
      Message message =
          TestXml.message(
                  "<message type='groupchat' from='coven@rooms.example.org/hag'><body>b</body>"
                      + inside
                      + "</message>")
              .packed();
      test.context
          .stores()
          .messages()
          .append(
              new MessageLog.Entry(
                  TestRoom.JID, id, Jid.of("coven@rooms.example.org/hag"), message),
              MessageLog.Keep.ARCHIVE,
              false);
    }
    LiveRoom live = Objects.requireNonNull(test.repository.open(TestRoom.JID).live());
    assertThat(ids).allSatisfy(id -> assertThat(live.history().find(id)).isNotNull());
  }
}
