package im.zonda.app.demo;

import im.zonda.app.demo.DemoCast.Member;
import im.zonda.app.demo.DemoCast.Room;
import im.zonda.app.demo.DemoCast.Talk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/// The conversation of a room. Two people talk about one thing until they are done, then others
/// about another. Nothing is said twice before everything has been said.
final class DemoTalk {
  /// What someone says.
  record Line(Member speaker, String text) {}

  /// A talk about one thing.
  private record Topic(Talk talk, String thing) {}

  private final Room room;
  private final RandomGenerator random;
  private final Deque<Topic> topics = new ArrayDeque<>();
  private final Deque<Line> lines = new ArrayDeque<>();

  DemoTalk(Room room, RandomGenerator random) {
    this.room = room;
    this.random = random;
  }

  /// The next line.
  ///
  /// @param present who is in the room; at least two. Someone else speaks for those who have left
  Line next(List<Member> present) {
    if (lines.isEmpty()) {
      begin(present);
    }
    Line line = lines.remove();
    return present.contains(line.speaker)
        ? line
        : new Line(present.get(random.nextInt(present.size())), line.text);
  }

  /// All topics: each talk about something, then each about something else.
  private List<Topic> shuffled() {
    List<List<Topic>> rounds = new ArrayList<>();
    for (Talk talk : room.talks()) {
      List<String> things = new ArrayList<>(talk.things());
      Collections.shuffle(things, Random.from(random));
      for (int i = 0; i < things.size(); i++) {
        if (i == rounds.size()) {
          rounds.add(new ArrayList<>());
        }
        rounds.get(i).add(new Topic(talk, things.get(i)));
      }
    }
    return rounds.stream().flatMap(List::stream).toList();
  }

  private void begin(List<Member> present) {
    if (topics.isEmpty()) {
      topics.addAll(shuffled());
    }
    Topic topic = topics.remove();
    int first = random.nextInt(present.size());
    Member asking = present.get(first);
    Member answering =
        present.get((first + 1 + random.nextInt(present.size() - 1)) % present.size());
    Member next = asking;
    for (String text : topic.talk.lines()) {
      lines.add(new Line(next, text.replace("{0}", topic.thing).replace("{1}", asking.nick())));
      next = next.equals(asking) ? answering : asking;
    }
  }
}
