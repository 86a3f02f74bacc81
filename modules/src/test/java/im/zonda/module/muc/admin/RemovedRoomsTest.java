package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.home.HatStore;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.SingleRoom;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Hats;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RoomStore.Removed;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RemovedRoomsTest {
  private static final Jid HOST = Jid.of("example.org");
  private static final QName RESTORE = new QName("urn:zonda:rooms:0", "restore");

  private final TestRoom test = new TestRoom();
  private final RoomExit exit =
      new RoomExit(
          test.context,
          new RoomBroadcast(test.context, () -> 0),
          test.repository,
          () -> new SingleRoom(test.home));
  private final RemovedRooms rooms =
      new RemovedRooms(
          test.context, () -> test.settings, TestRoom.JID.domainJid(), test.repository, exit);

  RemovedRoomsTest() {
    rooms.install(test.table);
  }

  private long destroyed() {
    test.repository.use(test.live());
    exit.destroy(test.home, test.live(), MucNames.DESTROY);
    return removed().getFirst().number();
  }

  private List<Removed> removed() {
    return rooms.latest(null, 10);
  }

  private IqReply restore(Jid from, long number) {
    Element payload = Element.builder(RESTORE).attribute("number", "" + number).build();
    return Objects.requireNonNull(test.table.findAddressHandler(Iq.Type.SET, RESTORE))
        .answer(test.home, Iq.of(Iq.Type.SET, from, TestRoom.JID, "r", payload), payload);
  }

  private static ErrorCondition condition(IqReply reply) {
    return ((IqReply.Refuse) reply).error().condition();
  }

  @Test
  void onlyTheHostRestores() {
    long number = destroyed();
    assertThat(condition(restore(Jid.of("crone@example.org/desktop"), number)))
        .isEqualTo(ErrorCondition.FORBIDDEN);
    assertThat(condition(restore(Jid.of("example.net"), number)))
        .isEqualTo(ErrorCondition.FORBIDDEN);
    assertThat(test.home.live()).isNull();
    assertThat(restore(HOST, number)).isEqualTo(IqReply.empty());
    assertThat(test.room().affiliations().all()).containsKey(Jid.of("crone@example.org"));
  }

  @Test
  void aRoomThatIsNotConfiguredYetIsInTheWayToo() {
    long number = destroyed();
    test.home.setLive(test.repository.create(TestRoom.JID, Jid.of("hecate@example.org")));
    assertThat(condition(restore(HOST, number))).isEqualTo(ErrorCondition.CONFLICT);
    test.home.setLive(null);
    assertThat(condition(restore(HOST, number + 1))).isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
    assertThat(restore(HOST, number)).isEqualTo(IqReply.empty());
  }

  /// The accounts that wore them may be those of others now.
  @Test
  void hatsAreNotRestored() {
    Hats hats = new Hats();
    hats.create(new Hats.Hat("x:1", "Teacher", null));
    hats.assign(Jid.of("hag@example.org"), "x:1");
    long number = destroyed();
    new HatStore(test.context).write(TestRoom.JID, hats); // as the true store keeps them
    restore(HOST, number);
    assertThat(test.room().hats().all()).isEmpty();
    assertThat(new HatStore(test.context).read(TestRoom.JID).all()).isEmpty();
  }

  @Test
  void aTemporaryRoomStaysWhenItIsRestored() {
    test.configure(form -> form.bool("muc#roomconfig_persistentroom", "", false));
    test.repository.use(test.live());
    exit.destroyIfUnused(test.home);
    assertThat(test.home.live()).isNull();
    restore(HOST, removed().getFirst().number());
    assertThat(test.room().isOver()).isFalse();
    RoomHome reopened = test.repository.open(TestRoom.JID);
    assertThat(Objects.requireNonNull(reopened.live()).room().isOver()).isFalse();
  }

  @Test
  void aRoomThatWasNotUsedIsErasedAtOnce() {
    exit.destroy(test.home, test.live(), MucNames.DESTROY);
    assertThat(removed()).isEmpty();
    assertThat(test.context.stores().rooms().find(TestRoom.JID)).isNull();
  }

  /// Otherwise somebody could make another room in its place.
  @Test
  void aRoomThatCannotBeLoadedIsRemovedAsBefore() {
    Room room = test.room();
    long number = destroyed();
    test.context.stores().rooms().damageRemoved(number);
    assertThat(catchThrowable(() -> restore(HOST, number))).hasMessageContaining("cannot be read");
    assertThat(test.home.live()).isNull();
    assertThat(test.context.stores().rooms().find(room.jid())).isNull();
    assertThat(removed()).hasSize(1);
  }

  @Test
  void removedRoomsAreErasedWhenTheirTimeIsOver() {
    destroyed();
    test.context.clock().advance(Duration.ofDays(7));
    test.context.runTasks();
    assertThat(removed()).hasSize(1);
    test.context.clock().advance(Duration.ofMillis(1));
    assertThat(removed()).as("it waits for the task").isEmpty();
    assertThat(stored()).hasSize(1);
    test.context.clock().advance(Duration.ofMinutes(11));
    test.context.runTasks();
    assertThat(stored()).isEmpty();
  }

  private List<Removed> stored() {
    return test.context.stores().rooms().removed(TestRoom.JID.domain(), null, 10);
  }
}
