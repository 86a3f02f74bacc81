package im.zonda.module.muc.discovery;

import static im.zonda.module.testing.Expect.failedCommand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.home.HatStore;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Hats;
import im.zonda.module.muc.room.Hats.Hat;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.StoreException;
import org.junit.jupiter.api.Test;

class HatCommandsTest {
  private static final String CRONE = "crone@example.org/desktop";
  private static final Jid HAG = Jid.of("hag@example.org");

  private final TestRoom test = new TestRoom();
  private final HatStore store = new HatStore(test.context);

  HatCommandsTest() {
    RoomCommands commands = new RoomCommands(test.context.ids());
    new HatCommands(test.context, new RoomBroadcast(test.context, () -> 0), test.repository, store)
        .install(test.table, commands);
    commands.install(test.table);
  }

  private IqReply command(String word, String fields) {
    return test.ask(
        CRONE,
        TestXml.iq(
            "<iq type='set' id='c'><command xmlns='http://jabber.org/protocol/commands'"
                + " node='urn:xmpp:hats:commands:"
                + word
                + "'><x xmlns='jabber:x:data' type='submit'>"
                + fields
                + "</x></command></iq>"));
  }

  private static String field(String name, String value) {
    return "<field var='hats#" + name + "'><value>" + value + "</value></field>";
  }

  private IqReply create(String uri) {
    return command("create", field("uri", uri) + field("title", "A hat"));
  }

  private static ErrorCondition error(IqReply reply) {
    return ((IqReply.Refuse) reply).error().condition();
  }

  @Test
  void aRoomWithAHatIsUsed() {
    assertThat(test.room().isUsed()).isFalse();
    create("x:1");
    assertThat(test.room().isUsed()).isTrue();
  }

  @Test
  void whatCannotBeDoneCompletesWithANote() {
    assertThat(failedCommand(command("destroy", field("uri", "x:1")))).isNotEmpty();
    create("x:1");
    assertThat(failedCommand(command("destroy", field("uri", "x:2")))).isNotEmpty();
    String hat = field("uri", "x:1");
    assertThat(failedCommand(command("assign", hat + field("jid", "a b@@")))).isNotEmpty();
    assertThat(failedCommand(command("assign", hat + field("jid", "example.org")))).isNotEmpty();
    assertThat(failedCommand(command("create", field("uri", "x:3")))).isNotEmpty();
    assertThat(test.room().hats().all()).hasSize(1);
  }

  @Test
  void hatsAndAssignmentsAreStored() {
    create("x:1");
    command("assign", field("uri", "x:1") + field("jid", "hag@example.org/pda"));
    assertThat(store.read(TestRoom.JID).assignments())
        .containsExactly(new Hats.Assignment(HAG, new Hat("x:1", "A hat", null)));
    command("unassign", field("uri", "x:1") + field("jid", "hag@example.org"));
    assertThat(store.read(TestRoom.JID).assignments()).isEmpty();
    assertThat(
            failedCommand(
                command("unassign", field("uri", "x:1") + field("jid", "hag@example.org"))))
        .isNotEmpty();
  }

  @Test
  void changesThatCannotBeStoredAreNotApplied() {
    test.context.stores().fail(StoreException.Category.UNAVAILABLE);
    assertThatThrownBy(() -> create("x:1")).isInstanceOf(StoreException.class);
    assertThat(test.room().hats().all()).isEmpty();
    assertThat(test.context.takeSent()).isEmpty();
  }

  /// Reliability row 79.
  @Test
  void row79_hatsAreBounded() {
    for (int i = 0; i < 100; i++) {
      assertThat(create("x:" + i)).isInstanceOf(IqReply.Result.class);
    }
    assertThat(error(create("x:100"))).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(create("x:5")).isInstanceOf(IqReply.Result.class);
    Hats hats = store.read(TestRoom.JID);
    for (int i = 0; i < 1_000; i++) {
      assertThat(hats.assign(Jid.of("u" + i + "@example.org"), "x:1")).isTrue();
    }
    assertThat(hats.assign(HAG, "x:1")).isFalse();
    assertThat(failedCommand(create("x".repeat(501)))).isNotEmpty();
  }

  @Test
  void aColorIsAnAngle() {
    String hat = field("uri", "x:1") + field("title", "A hat");
    assertThat(failedCommand(command("create", hat + field("hue", "red")))).isNotEmpty();
    assertThat(failedCommand(command("create", hat + field("hue", "361")))).isNotEmpty();
    assertThat(command("create", hat + field("hue", "359.9"))).isInstanceOf(IqReply.Result.class);
  }
}
