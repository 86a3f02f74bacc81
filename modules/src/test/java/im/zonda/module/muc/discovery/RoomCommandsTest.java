package im.zonda.module.muc.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import org.junit.jupiter.api.Test;

class RoomCommandsTest {
  private static final String CRONE = "crone@example.org/desktop";

  private final TestRoom test = new TestRoom();
  private final RoomCommands commands = new RoomCommands(() -> "s1");
  private int runs;

  RoomCommandsTest() {
    commands
        .add(
            "x:count",
            "Count",
            run -> run.affiliation() == Affiliation.OWNER,
            run -> {
              runs++;
              return run.done(null);
            })
        .install(test.table);
  }

  private IqReply give(String from, String attributes, String content) {
    return test.ask(
        from,
        TestXml.iq(
            "<iq type='set' id='c'><command xmlns='http://jabber.org/protocol/commands' "
                + attributes
                + ">"
                + content
                + "</command></iq>"));
  }

  @Test
  void aCommandRunsAndCompletes() {
    Expect.result(
        give(CRONE, "node='x:count'", ""),
        "<command xmlns='http://jabber.org/protocol/commands' node='x:count' sessionid='s1'"
            + " status='completed'/>");
    assertThat(runs).isEqualTo(1);
  }

  @Test
  void forbiddenAndInvalidCommandsDoNotRun() {
    assertThat(give("hag@example.org/pda", "node='x:count'", ""))
        .isEqualTo(IqReply.refuse(ErrorCondition.FORBIDDEN));
    assertThat(give(CRONE, "", "")).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
    give(CRONE, "node='x:count' action='prev'", "");
    give(CRONE, "node='x:count' action='cancel'", "");
    give(CRONE, "node='x:count'", "<x xmlns='jabber:x:data' type='form'/>");
    assertThat(runs).isZero();
  }

  @Test
  void onlyPermittedCommandsAreListed() {
    assertThat(commands.items(test.live(), Jid.of(CRONE))).hasSize(1);
    assertThat(commands.items(test.live(), Jid.of("hag@example.org/pda"))).isEmpty();
  }
}
