package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class HistoryMemoryTest {
  private static final Jid HOG = Jid.of("hog@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final long MAX = 100_000;

  private final HistoryMemory memory = new HistoryMemory(20_000, MAX);
  private long id;

  private RoomHistory room(String name) {
    return new RoomHistory(Jid.of(name + "@rooms.example.org"), memory, 50);
  }

  private static Message message(String body) {
    return TestXml.message(
        "<message type='groupchat' from='r@rooms.example.org/x'><body>"
            + body
            + "</body></message>");
  }

  private long say(RoomHistory room, Jid author, String body) {
    room.add(author, ++id, message(body));
    return id;
  }

  private static List<String> bodies(RoomHistory room) {
    return room.select(HistoryRequest.ALL).messages().stream()
        .map(said -> said.payloads().getFirst().text())
        .toList();
  }

  @Test
  void oneAuthorInManyRoomsStaysWithinTheSharedLimit() {
    RoomHistory others = room("others");
    say(others, JULIET, "here");
    List<RoomHistory> rooms = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      RoomHistory room = room("r" + i);
      rooms.add(room);
      say(room, HOG, "x".repeat(4_000));
      assertThat(memory.bytes()).isLessThanOrEqualTo(MAX);
    }
    assertThat(memory.bytes()).isGreaterThan(MAX / 2);
    assertThat(bodies(others)).containsExactly("here");
    assertThat(bodies(rooms.getFirst())).isEmpty();
    assertThat(bodies(rooms.getLast())).hasSize(1);
  }

  @Test
  void theAuthorWithTheMostBytesLosesItsOldestInWhateverRoom() {
    RoomHistory shared = room("shared");
    List<RoomHistory> rooms = new ArrayList<>();
    say(shared, HOG, "the hog's first");
    say(shared, JULIET, "juliet's first");
    for (int i = 0; i < 9; i++) {
      rooms.add(room("r" + i));
      say(rooms.getLast(), HOG, "x".repeat(9_000));
    }
    // Juliet exceeds the limit, but another author has the most bytes.
    RoomHistory own = room("own");
    say(own, JULIET, "y".repeat(15_000));
    assertThat(bodies(own)).hasSize(1);
    assertThat(bodies(shared)).containsExactly("juliet's first");
    assertThat(bodies(rooms.getFirst())).isEmpty();
    assertThat(bodies(rooms.getLast())).hasSize(1);
  }

  @Test
  void aRoomHasALimitOfItsOwn() {
    RoomHistory room = room("r");
    for (int i = 0; i < 20; i++) {
      say(room, JULIET, i + "y".repeat(3_000));
      assertThat(memory.bytes()).isLessThanOrEqualTo(20_000);
    }
    assertThat(bodies(room)).hasSizeBetween(3, 6).last().asString().startsWith("19");
  }

  @Test
  void anUnloadedRoomReleasesItsMemory() {
    RoomHistory one = room("one");
    RoomHistory other = room("other");
    say(one, HOG, "x");
    say(one, JULIET, "y");
    say(other, JULIET, "z");
    one.clear();
    assertThat(memory.bytesOf(HOG)).isZero();
    assertThat(memory.bytes()).isEqualTo(memory.bytesOf(JULIET)).isPositive();
    assertThat(bodies(other)).containsExactly("z");
    other.setLimit(0);
    assertThat(memory.bytes()).isZero();
  }

  @Test
  void aReplacedMessageCountsWithItsNewSize() {
    RoomHistory room = room("r");
    long said = say(room, JULIET, "y".repeat(1_000));
    long before = memory.bytes();
    room.replace(said, old -> message(""));
    assertThat(memory.bytes()).isEqualTo(before - 1_000).isEqualTo(memory.bytesOf(JULIET));
    assertThat(bodies(room)).containsExactly("");
    room.replace(said + 1, old -> message("nobody said that"));
    assertThat(bodies(room)).containsExactly("");
  }

  @Test
  void loadedMessagesComeBeforeTheOthers() {
    RoomHistory room = room("r");
    say(room, JULIET, "third");
    assertThat(room.addOldest(HOG, 0, message("second"))).isTrue();
    assertThat(room.addOldest(JULIET, 0, message("first"))).isTrue();
    assertThat(bodies(room)).containsExactly("first", "second", "third");
    assertThat(room.addOldest(HOG, 0, message("x".repeat(20_000)))).isFalse();
    assertThat(bodies(room)).hasSize(3);
  }

  @Test
  void elementsCountMoreThanTheirCharacters() {
    RoomHistory room = room("r");
    room.add(
        HOG, 1, TestXml.message("<message type='groupchat'>" + "<a/>".repeat(100) + "</message>"));
    assertThat(memory.bytes()).isGreaterThan(10_000);
  }

  @Test
  void theSumIsRightAfterRandomOperations() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(9);
    List<Jid> authors = List.of(HOG, JULIET, Jid.of("nurse@example.org"), Jid.of("d@example.org"));
    List<RoomHistory> rooms = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rooms.add(room("r" + i));
    }
    for (int i = 0; i < 20_000; i++) {
      RoomHistory room = rooms.get(random.nextInt(rooms.size()));
      Jid author = authors.get(random.nextInt(authors.size()));
      Message message = message("x".repeat(random.nextInt(random.nextBoolean() ? 20 : 10_000)));
      switch (random.nextInt(10)) {
        case 0 -> room.clear();
        case 1 -> room.addOldest(author, -i, message);
        case 2 -> room.replace(random.nextLong(id + 1), old -> message);
        default -> room.add(author, ++id, message);
      }
      long sum = authors.stream().mapToLong(memory::bytesOf).sum();
      assertThat(memory.bytes()).isEqualTo(sum).isLessThanOrEqualTo(MAX);
    }
    rooms.forEach(RoomHistory::clear);
    assertThat(memory.bytes()).isZero();
  }
}
