package im.zonda.module.circle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.circle.CircleOperations.Accounts;
import im.zonda.module.circle.CircleOperations.Chosen;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Nothing;
import im.zonda.operation.Outcome.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircleOperationsTest {
  private static final String HOST = "example.org";
  private static final String TOWN = "Our Town";
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid ROOM = Jid.of("our-town@rooms.example.org");

  private final CircleStage stage = new CircleStage();
  private final TestOperations operations = stage.context.operations();

  CircleOperationsTest() {
    stage.context.account(ROMEO.toString());
    stage.context.account(JULIET.toString());
  }

  private CircleOperations.Shown create(String name, Jid... members) {
    return operations.done(CircleOperations.CREATE, new Accounts(HOST, name, List.of(members)));
  }

  private CircleOperations.Shown shown() {
    return operations.done(CircleOperations.SHOW, new Chosen(HOST, TOWN));
  }

  private void settle() {
    stage.context.clock().advance(Duration.ofMinutes(1));
    stage.settle();
  }

  @Test
  void aCircleIsCreatedAndItsRoomIsMade() {
    assertThat(create(TOWN, ROMEO).joining()).containsExactly(ROMEO);
    settle();
    assertThat(shown().room()).isEqualTo(ROOM);
    assertThat(shown().members()).containsExactly(ROMEO);
    assertThat(shown().joining()).isEmpty();
    assertThat(stage.members(ROOM.toString())).containsExactly(ROMEO + " member");
    assertThat(
            operations.refused(CircleOperations.CREATE, new Accounts(HOST, "our town", List.of())))
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void aCircleIsRenamed() {
    create(TOWN, ROMEO);
    CircleOperations.Renamed wanted = new CircleOperations.Renamed(HOST, "our town", "Verona");
    assertThat(operations.done(CircleOperations.RENAME, wanted).name()).isEqualTo("Verona");
    settle();
    assertThat(shown().name()).isEqualTo("Verona");
    assertThat(shown().room()).isEqualTo(ROOM);
    assertThat(stage.roomName(ROOM.toString())).isEqualTo("Verona");
    assertThat(
            operations.refused(
                CircleOperations.RENAME, new CircleOperations.Renamed(HOST, "Padua", "x")))
        .isEqualTo(Reason.NOT_FOUND);
    create("Mantua");
    assertThat(
            operations.refused(
                CircleOperations.RENAME, new CircleOperations.Renamed(HOST, "Mantua", "verona")))
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void membersComeAndGo() {
    create(TOWN, ROMEO);
    assertThat(
            operations
                .done(
                    CircleOperations.ADD,
                    new Accounts(HOST, TOWN, List.of(ROMEO, Jid.of("juliet@example.org/balcony"))))
                .accounts())
        .containsExactly(JULIET);
    settle();
    assertThat(shown().members()).containsExactly(JULIET, ROMEO);
    Nothing done =
        operations.done(CircleOperations.REMOVE_MEMBER, new Accounts(HOST, TOWN, List.of(ROMEO)));
    assertThat(done).isEqualTo(Nothing.NOTHING);
    settle();
    assertThat(stage.members(ROOM.toString())).containsExactly(JULIET + " member");
    assertThat(operations.changes())
        .containsExactly(
            "member juliet@example.org: false -> true", "member romeo@example.org: true -> false");
    assertThat(
            operations.refused(
                CircleOperations.REMOVE_MEMBER, new Accounts(HOST, TOWN, List.of(ROMEO))))
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void circlesAreListedByPagesAndDeleted() {
    create(TOWN);
    create("Verona");
    create("Abbey");
    CircleOperations.Lines first =
        operations.done(CircleOperations.LIST, new CircleOperations.Wanted(HOST, null, 2));
    CircleOperations.Lines second =
        operations.done(CircleOperations.LIST, new CircleOperations.Wanted(HOST, first.next(), 2));
    assertThat(first.circles()).extracting("name").containsExactly("Abbey", TOWN);
    assertThat(second.circles()).extracting("name").containsExactly("Verona");
    assertThat(second.next()).isNull();
    settle();
    Nothing done = operations.done(CircleOperations.DELETE, new Chosen(HOST, TOWN));
    assertThat(done).isEqualTo(Nothing.NOTHING);
    settle();
    assertThat(operations.refused(CircleOperations.SHOW, new Chosen(HOST, TOWN)))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(stage.context.stores().rooms().find(ROOM)).isNull();
  }
}
