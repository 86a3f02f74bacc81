package im.zonda.app.node;

import static im.zonda.app.node.RoomSteps.ROOM;
import static im.zonda.app.node.RoomSteps.awaitPresence;
import static im.zonda.app.node.RoomSteps.configure;
import static im.zonda.app.node.RoomSteps.enter;
import static im.zonda.app.node.RoomSteps.heard;
import static im.zonda.app.node.RoomSteps.say;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A room moves to another node while people are in it.
class MovingRoomTest {
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.org";

  @Test
  void occupantsStayAndTheHistoryIsThere() throws Exception {
    assertThat(TestCluster.moveTogether(ROOM, ROMEO) || TestCluster.moveTogether(ROOM, JULIET))
        .as("only the room moves")
        .isFalse();
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
        ScriptedClient romeo = cluster.connect(ROMEO + "/garden");
        ScriptedClient juliet = cluster.connect(JULIET + "/balcony")) {
      enter(romeo, "romeo");
      configure(romeo);
      enter(juliet, "juliet");
      awaitPresence(romeo, "juliet");
      say(romeo, "1");
      assertThat(heard(juliet)).isEqualTo("1");
      assertThat(heard(romeo)).isEqualTo("1");
      for (int round = 2; round < 8; round++) {
        Member before = cluster.homeOf(ROOM);
        cluster.move(ROOM);
        assertThat(cluster.homeOf(ROOM)).isNotEqualTo(before);
        say(juliet, "" + round);
        assertThat(heard(romeo)).isEqualTo("" + round);
        assertThat(heard(juliet)).isEqualTo("" + round);
      }
      try (ScriptedClient late = cluster.connect("late@example.org/pda")) {
        enter(late, "late");
        for (int round = 1; round < 8; round++) {
          assertThat(heard(late)).isEqualTo("" + round);
        }
      }
    }
  }

  /// XEP-0500. Also in a room without an archive, from which the next home cannot read it.
  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void whoHasToWaitHasToWaitAtTheNextNode(String archive) throws Exception {
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
        ScriptedClient romeo = cluster.connect(ROMEO + "/garden");
        ScriptedClient juliet = cluster.connect(JULIET + "/balcony")) {
      enter(romeo, "romeo");
      configure(
          romeo,
          Map.of(
              "muc#roomconfig_slow_mode_duration",
              "3600",
              "muc#roomconfig_enablelogging",
              archive));
      enter(juliet, "juliet");
      awaitPresence(romeo, "juliet");
      say(juliet, "1");
      assertThat(heard(romeo)).isEqualTo("1");
      assertThat(heard(juliet)).isEqualTo("1");
      cluster.move(ROOM);
      say(juliet, "2");
      XmlElement error = juliet.receiveFirst(stanza -> "error".equals(stanza.attribute("type")));
      assertThat(error.attribute("id")).isEqualTo("m2");
      say(romeo, "3");
      assertThat(heard(romeo)).isEqualTo("3");
      assertThat(heard(juliet)).isEqualTo("3");
    }
  }
}
