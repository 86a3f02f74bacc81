package im.zonda.module.circle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationModule.Offer;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.store.RosterItem;
import im.zonda.store.StoreException;
import im.zonda.store.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CircleModuleTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid NURSE = Jid.of("nurse@example.org");
  private static final String ROOM = "our-town@rooms.example.org";
  private static final String TOWN = "Our Town";

  private final CircleStage stage = new CircleStage();

  CircleModuleTest() {
    for (Jid each : List.of(ROMEO, JULIET, NURSE)) {
      stage.context.account(each.toString());
    }
  }

  private void create(Jid... members) {
    stage.stored.create(TOWN, List.of(members));
    stage.context.clock().advance(Duration.ofMinutes(1));
    stage.settle();
  }

  private void wait(Duration time) {
    for (long passed = 0; passed <= time.toMillis(); passed += CircleWork.PERIOD.toMillis()) {
      stage.tick();
    }
  }

  /// What commands have changed is noticed.
  private void settleNow() {
    wait(Duration.ofMinutes(1));
    stage.settle();
  }

  @Test
  void membersAreContactsOfEachOtherAndHaveTheRoomAndItsBookmark() {
    create(ROMEO, JULIET, NURSE);
    assertThat(stage.contacts("romeo@example.org"))
        .isEqualTo(Map.of(JULIET + " BOTH", List.of(TOWN), NURSE + " BOTH", List.of(TOWN)));
    assertThat(stage.contacts("nurse@example.org"))
        .isEqualTo(Map.of(JULIET + " BOTH", List.of(TOWN), ROMEO + " BOTH", List.of(TOWN)));
    assertThat(stage.members(ROOM))
        .containsExactly(JULIET + " member", NURSE + " member", ROMEO + " member");
    for (Jid each : List.of(ROMEO, JULIET, NURSE)) {
      assertThat(stage.bookmarks(each.toString())).containsExactly(ROOM);
    }
    assertThat(stage.stored.unfinished(stage.stored.get(TOWN))).isEmpty();
  }

  @Test
  void whoJoinsLaterKnowsEveryone() {
    create(ROMEO, JULIET);
    assertThat(stage.stored.add(TOWN, List.of(NURSE, ROMEO))).containsExactly(NURSE);
    settleNow();
    assertThat(stage.contacts("nurse@example.org"))
        .containsOnlyKeys(JULIET + " BOTH", ROMEO + " BOTH");
    assertThat(stage.contacts("juliet@example.org"))
        .containsOnlyKeys(NURSE + " BOTH", ROMEO + " BOTH");
    assertThat(stage.members(ROOM)).hasSize(3);
    assertThat(stage.stored.add(TOWN, List.of(NURSE))).isEmpty();
  }

  @Test
  void whoLeavesKeepsTheContactsOnly() {
    create(ROMEO, JULIET, NURSE);
    stage.stored.removeMembers(TOWN, List.of(ROMEO));
    settleNow();
    assertThat(stage.contacts("romeo@example.org"))
        .isEqualTo(Map.of(JULIET + " BOTH", List.of(), NURSE + " BOTH", List.of()));
    assertThat(stage.contacts("juliet@example.org"))
        .isEqualTo(Map.of(NURSE + " BOTH", List.of(TOWN), ROMEO + " BOTH", List.of()));
    assertThat(stage.bookmarks("romeo@example.org")).isEmpty();
    assertThat(stage.members(ROOM)).containsExactly(JULIET + " member", NURSE + " member");
    assertThat(values(ROMEO)).isEmpty();
  }

  @Test
  void aCircleGetsAnotherNameWithItsGroupsRoomAndBookmarks() {
    create(ROMEO, JULIET, NURSE);
    stage.stored.removeMembers(TOWN, List.of(NURSE));
    assertThat(stage.stored.rename("our town", " Verona ").local()).isEqualTo("our-town");
    settleNow();
    assertThat(stage.contacts("romeo@example.org"))
        .isEqualTo(Map.of(JULIET + " BOTH", List.of("Verona"), NURSE + " BOTH", List.of()));
    assertThat(stage.contacts("juliet@example.org"))
        .isEqualTo(Map.of(ROMEO + " BOTH", List.of("Verona"), NURSE + " BOTH", List.of()));
    assertThat(stage.contacts("nurse@example.org"))
        .isEqualTo(Map.of(JULIET + " BOTH", List.of(), ROMEO + " BOTH", List.of()));
    assertThat(stage.bookmarkNames("romeo@example.org")).containsExactly("Verona");
    assertThat(stage.roomName(ROOM)).isEqualTo("Verona");
    assertThat(stage.members(ROOM)).hasSize(2);
    assertThat(values(stage.context.domain())).hasSize(1);
  }

  /// It is found by its name and by that of its room, and nothing else can have these.
  @Test
  void aCircleWithAnotherNameIsNoSecondOne() {
    create(ROMEO);
    stage.stored.create("Mantua", List.of());
    stage.stored.rename(TOWN, "Verona");
    assertThat(stage.stored.get("verona")).isEqualTo(stage.stored.get(TOWN));
    assertThatThrownBy(() -> stage.stored.create("OUR TOWN", List.of()))
        .hasMessage("there is a circle Verona already");
    assertThatThrownBy(() -> stage.stored.create("verona", List.of()))
        .hasMessage("there is a circle Verona already");
    assertThatThrownBy(() -> stage.stored.rename("Mantua", "our town"))
        .hasMessage("there is a circle Verona already");
    assertThatThrownBy(() -> stage.stored.rename("Padua", "x")).hasMessageContaining("no such");
    assertThatThrownBy(() -> stage.stored.rename(TOWN, "@")).hasMessageContaining("use letters");
    assertThat(stage.stored.rename("Verona", "our town").name()).isEqualTo("our town");
    assertThat(stage.stored.all()).extracting(Circle::name).containsExactly("Mantua", "our town");
  }

  @Test
  void severalNamesInARowLeaveTheLastOne() {
    create(ROMEO, JULIET);
    stage.stored.rename(TOWN, "Verona");
    stage.stored.rename("Verona", TOWN);
    stage.stored.rename(TOWN, "Mantua");
    settleNow();
    assertThat(stage.contacts("romeo@example.org"))
        .isEqualTo(Map.of(JULIET + " BOTH", List.of("Mantua")));
    assertThat(stage.roomName(ROOM)).isEqualTo("Mantua");
    stage.stored.rename("Mantua", "Verona");
    stage.stored.remove("Verona");
    settleNow();
    assertThat(stage.contacts("romeo@example.org")).isEqualTo(Map.of(JULIET + " BOTH", List.of()));
    assertThat(values(ROMEO)).isEmpty();
    assertThat(values(stage.context.domain())).isEmpty();
  }

  @Test
  void namesThatAreNotCarriedOutHaveALimit() {
    create(ROMEO);
    for (int i = 0; i < 10; i++) {
      stage.stored.rename(TOWN, "Town " + i);
    }
    assertThatThrownBy(() -> stage.stored.rename(TOWN, "Verona"))
        .hasMessage("the circle Town 9 is being renamed; try again in a minute");
    settleNow();
    assertThat(stage.stored.rename(TOWN, "Verona").name()).isEqualTo("Verona");
  }

  @Test
  void aNameThatAUserHasGivenABookmarkStays() {
    create(ROMEO, JULIET);
    stage.renameBookmark("romeo@example.org", ROOM, TOWN, "Home");
    stage.stored.rename(TOWN, "Verona");
    settleNow();
    assertThat(stage.bookmarkNames("romeo@example.org")).containsExactly("Home");
    assertThat(stage.bookmarkNames("juliet@example.org")).containsExactly("Verona");
  }

  @Test
  void aCircleEndsWithItsRoom() {
    create(ROMEO, JULIET);
    stage.stored.remove(TOWN);
    assertThat(stage.stored.all()).isEmpty();
    assertThatThrownBy(() -> stage.stored.create(TOWN, List.of()))
        .hasMessageContaining("is being removed");
    settleNow();
    assertThat(stage.members(ROOM)).isNull();
    assertThat(stage.bookmarks("romeo@example.org")).isEmpty();
    assertThat(stage.contacts("romeo@example.org")).isEqualTo(Map.of(JULIET + " BOTH", List.of()));
    assertThat(values(ROMEO)).isEmpty();
    assertThat(values(stage.context.domain())).isEmpty();
    assertThat(stage.stored.create(TOWN, List.of()).local()).isEqualTo("our-town");
  }

  private Set<String> values(Jid owner) {
    return stage.context.keyValues(CircleModule.STORE).all(owner).keySet();
  }

  // ---- interruptions

  @Test
  void whereverTheServerIsKilledTheNextOneGoesOn() {
    create(JULIET);
    int steps = 0;
    boolean killed = true;
    // Kills it before the first request, before the second one, and so on.
    for (int before = 0; killed; before++) {
      CircleStage next = new CircleStage();
      for (Jid each : List.of(ROMEO, JULIET, NURSE)) {
        next.context.account(each.toString());
      }
      next.stored.create(TOWN, List.of(JULIET, ROMEO, NURSE));
      next.tick();
      for (int i = 0; i < before; i++) {
        boolean _ = next.answerOne();
      }
      killed = next.waiting() > 0;
      next.restart();
      next.settle();
      assertThat(next.contacts("juliet@example.org"))
          .as("killed before request " + before)
          .isEqualTo(Map.of(NURSE + " BOTH", List.of(TOWN), ROMEO + " BOTH", List.of(TOWN)));
      assertThat(next.members(ROOM)).hasSize(3);
      assertThat(next.bookmarks("romeo@example.org")).containsExactly(ROOM);
      assertThat(next.stored.unfinished(next.stored.get(TOWN))).isEmpty();
      steps = before;
    }
    assertThat(steps).isEqualTo(4); // the room and three accounts
  }

  @Test
  void whatWasBegunIsTakenBackWhenItIsNotWantedAnyMore() {
    stage.stored.create(TOWN, List.of(ROMEO, JULIET));
    stage.tick();
    assertThat(stage.answerOne()).isTrue(); // the room
    assertThat(stage.answerOne()).isTrue(); // the first account
    stage.stored.removeMembers(TOWN, List.of(ROMEO, JULIET));
    stage.restart();
    stage.settle();
    assertThat(stage.members(ROOM)).isEmpty();
    assertThat(stage.bookmarks("juliet@example.org")).isEmpty();
    assertThat(values(JULIET)).isEmpty();
  }

  @Test
  void aFailedRequestIsTriedAgainInAMinuteAndOtherCirclesGoOn() {
    stage.failing.add(JULIET);
    stage.stored.create(TOWN, List.of(ROMEO, JULIET));
    stage.stored.create("Verona", List.of(ROMEO, NURSE));
    stage.settle();
    assertThat(stage.stored.unfinished(stage.stored.get(TOWN))).hasSize(2);
    assertThat(stage.stored.unfinished(stage.stored.get("Verona"))).isEmpty();
    stage.failing.clear();
    int before = stage.answered;
    wait(Duration.ofSeconds(30));
    assertThat(stage.waiting()).isZero();
    settleNow();
    assertThat(stage.answered).isGreaterThan(before);
    assertThat(stage.stored.unfinished(stage.stored.get(TOWN))).isEmpty();
  }

  @Test
  void aStoreThatFailsIsTriedAgain() {
    stage.stored.create(TOWN, List.of(ROMEO, JULIET));
    stage.context.stores().fail(StoreException.Category.UNAVAILABLE);
    stage.tick();
    stage.context.stores().fail(null);
    settleNow();
    assertThat(stage.stored.unfinished(stage.stored.get(TOWN))).isEmpty();
  }

  @Test
  void anInterruptedCommandIsCarriedOutAfterAMinute() {
    create(ROMEO);
    // The command was killed before it has completed its note.
    Circle circle = stage.stored.get(TOWN);
    var store = stage.context.keyValues(CircleModule.STORE);
    store.put(JULIET, "member/" + circle.key(), bytes("member"));
    store.put(
        stage.context.domain(),
        "change/" + circle.key() + "/x",
        bytes("open " + stage.context.clock().millis()));
    wait(Duration.ofSeconds(50));
    assertThat(stage.waiting()).isZero();
    wait(Duration.ofSeconds(80));
    stage.settle();
    assertThat(stage.contacts("romeo@example.org")).containsOnlyKeys(JULIET + " BOTH");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  // ---- accounts

  @Test
  void anAccountThatIsRemovedLeavesItsCircles() {
    create(ROMEO, JULIET);
    stage.context.stores().accounts().remove(ROMEO);
    assertThat(stage.stored.members(stage.stored.get(TOWN))).containsExactly(JULIET);
    stage.context.account(ROMEO.toString());
    assertThat(stage.stored.members(stage.stored.get(TOWN))).containsExactly(JULIET);
  }

  @Test
  void anAccountThatIsRemovedMeanwhileDoesNotKeepTheOthersBack() {
    stage.stored.create(TOWN, List.of(ROMEO, JULIET, NURSE));
    stage.tick();
    stage.context.stores().accounts().remove(JULIET);
    stage.settle();
    assertThat(stage.contacts("nurse@example.org")).containsOnlyKeys(ROMEO + " BOTH");
    assertThat(stage.contacts("romeo@example.org")).containsOnlyKeys(NURSE + " BOTH");
  }

  @Test
  void whoseRosterIsFullIsNobodysContact() {
    int most = stage.context.config().limits().rosterItems();
    for (int i = 0; i < most; i++) {
      stage
          .context
          .stores()
          .rosters()
          .put(
              JULIET,
              new RosterItem(
                  Jid.of("c" + i + "@x.example"),
                  null,
                  Subscription.NONE,
                  false,
                  false,
                  List.of(),
                  null,
                  true));
    }
    create(ROMEO, JULIET);
    assertThat(stage.contacts("romeo@example.org")).isEmpty();
    assertThat(stage.members(ROOM)).hasSize(2);
    assertThat(stage.stored.unfinished(stage.stored.get(TOWN))).isEmpty();
  }

  @Test
  void whoRegistersWithAnInvitationJoinsAtOnce() {
    create(ROMEO);
    stage.context.account("tybalt@example.org");
    stage.invitations.registered(
        stage.invitations.invite(new Offer(null, null, TOWN, null)).invitation(),
        Jid.of("tybalt@example.org"));
    stage.settle();
    assertThat(stage.contacts("romeo@example.org")).containsOnlyKeys("tybalt@example.org BOTH");
    stage.invitations.registered(
        stage.invitations.invite(new Offer(null, null, "Nowhere", null)).invitation(), NURSE);
    assertThat(values(NURSE)).isEmpty();
  }

  // ---- what cannot be

  @Test
  void wrongCommandsChangeNothing() {
    create(ROMEO);
    Jid nobody = Jid.of("nobody@example.org");
    assertThatThrownBy(() -> stage.stored.create("our town", List.of()))
        .hasMessage("there is a circle Our Town already");
    assertThatThrownBy(() -> stage.stored.create("New", List.of(ROMEO, nobody)))
        .hasMessage("no such account: nobody@example.org");
    assertThatThrownBy(() -> stage.stored.add(TOWN, List.of(Jid.of("romeo@example.net"))))
        .hasMessageContaining("is not an account of example.org");
    assertThatThrownBy(() -> stage.stored.add("Nowhere", List.of(ROMEO)))
        .hasMessage("no such circle: Nowhere");
    assertThatThrownBy(() -> stage.stored.removeMembers(TOWN, List.of(ROMEO, JULIET)))
        .hasMessage("juliet@example.org is not a member of Our Town");
    assertThat(stage.stored.all()).extracting(Circle::name).containsExactly(TOWN);
    assertThat(stage.stored.members(stage.stored.get(TOWN))).containsExactly(ROMEO);
  }

  @Test
  void aRoomOfSomeoneElseIsNotTaken() {
    create(ROMEO);
    stage.stored.remove(TOWN);
    settleNow();
    stage.stored.create("Verona", List.of());
    settleNow();
    assertThat(stage.members("verona@rooms.example.org")).isEmpty();
    stage.stored.remove("Verona");
    stage.stored.forget(stage.stored.changed().getFirst().circle());
    assertThatThrownBy(() -> stage.stored.create("Verona", List.of()))
        .hasMessage("there is a room verona already; choose another name");
  }

  @Test
  void aCircleHasAtMostSoManyMembersWhoAreAddedInParts() {
    List<Jid> members = new ArrayList<>();
    for (int i = 0; i <= CircleModule.MOST_MEMBERS; i++) {
      Jid account = Jid.of("user" + i + "@example.org");
      stage.context.account(account.toString());
      members.add(account);
    }
    assertThatThrownBy(() -> stage.stored.create(TOWN, members))
        .hasMessage("a circle has at most 200 members");
    List<Jid> some = members.subList(0, 60);
    stage.stored.create(TOWN, some);
    stage.settle();
    assertThat(stage.contacts("user7@example.org")).hasSize(59);
    assertThat(stage.answered).isEqualTo(1 + 60 * 3);
    assertThatThrownBy(() -> stage.stored.add(TOWN, members))
        .hasMessage("a circle has at most 200 members");
    stage.stored.remove(TOWN);
    settleNow();
    assertThat(stage.contacts("user7@example.org").values()).allMatch(List::isEmpty);
  }

  @Test
  void onlyTheHostChangesWhatBelongsToAnAccount() {
    TestSession romeo = stage.context.bind("romeo@example.org/orchard");
    for (String name : List.of("join", "leave")) {
      assertThat(
              stage
                  .context
                  .ask(
                      romeo,
                      TestXml.iq(
                          "<iq type='set' id='x' to='juliet@example.org'><"
                              + name
                              + " xmlns='urn:zonda:circles:0' group='g'>"
                              + "<contact jid='romeo@example.org'/></"
                              + name
                              + "></iq>"))
                  .toString())
          .contains("SERVICE_UNAVAILABLE");
    }
    assertThat(stage.contacts("juliet@example.org")).isEmpty();
  }
}
