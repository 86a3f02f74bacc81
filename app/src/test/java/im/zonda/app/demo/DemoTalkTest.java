package im.zonda.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.demo.DemoCast.Member;
import im.zonda.app.demo.DemoCast.Room;
import im.zonda.app.demo.DemoCast.Talk;
import im.zonda.app.demo.DemoTalk.Line;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemoTalkTest {
  private static final List<Member> PRESENT = DemoCast.PEOPLE.subList(0, 3);

  @Test
  void twoPeopleTalkInTurns() {
    Talk talk = new Talk(List.of("tea"), List.of("Is there {0}?", "There is, {1}.", "Good!"));
    DemoTalk room = new DemoTalk(new Room("r", "Room", "", List.of(talk)), new Random(1));
    for (int round = 0; round < 20; round++) {
      Line question = room.next(PRESENT);
      Line answer = room.next(PRESENT);
      Line thanks = room.next(PRESENT);
      assertThat(question.text()).isEqualTo("Is there tea?");
      assertThat(answer.text()).isEqualTo("There is, " + question.speaker().nick() + ".");
      assertThat(answer.speaker()).isNotEqualTo(question.speaker());
      assertThat(thanks.speaker()).isEqualTo(question.speaker());
    }
  }

  @Test
  void someoneElseSpeaksForThoseWhoHaveLeft() {
    DemoTalk room = new DemoTalk(DemoCast.ROOMS.getFirst(), new Random(1));
    room.next(PRESENT.subList(0, 2));
    List<Member> others = DemoCast.PEOPLE.subList(5, 7);
    assertThat(others).contains(room.next(others).speaker());
  }

  /// Each talk begins with another sentence until all talks have been held.
  @Test
  void nothingIsRepeatedBeforeEverythingWasSaid() {
    for (Room room : DemoCast.ROOMS) {
      DemoTalk talk = new DemoTalk(room, new Random(1));
      Set<String> beginnings = new HashSet<>();
      for (Talk each : room.talks()) {
        for (String thing : each.things()) {
          beginnings.add(each.lines().getFirst().replace("{0}", thing));
        }
      }
      int lines =
          room.talks().stream().mapToInt(each -> each.things().size() * each.lines().size()).sum();
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < lines; i++) {
        String text = talk.next(PRESENT).text();
        assertThat(text).doesNotContain("{");
        assertThat(!beginnings.contains(text) || seen.add(text)).as(text).isTrue();
      }
      assertThat(seen).isEqualTo(beginnings);
    }
  }
}
