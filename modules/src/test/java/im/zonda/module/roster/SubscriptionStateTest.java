package im.zonda.module.roster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import im.zonda.jid.Jid;
import im.zonda.module.roster.Transition.Effect;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Row 66 of the list of attacks: every state and every stanza of RFC 6121, appendix A.
///
/// The tables are data: state, what becomes of the stanza, state afterwards (`-`: no change).
/// `pass` is "route" in A.2 and "deliver" in A.3; `advance` is an approval in advance, `answer` the
/// reply `subscribed` in the user's name.
class SubscriptionStateTest {
  private static final String A_2_1_OUTBOUND_SUBSCRIBE =
      """
      None                  | pass | None + Pending Out
      None + Pending Out    | pass | -
      None + Pending In     | pass | None + Pending Out+In
      None + Pending Out+In | pass | -
      To                    | pass | -
      To + Pending In       | pass | -
      From                  | pass | From + Pending Out
      From + Pending Out    | pass | -
      Both                  | pass | -
      """;

  private static final String A_2_2_OUTBOUND_UNSUBSCRIBE =
      """
      None                  | pass | -
      None + Pending Out    | pass | None
      None + Pending In     | pass | -
      None + Pending Out+In | pass | None + Pending In
      To                    | pass | None
      To + Pending In       | pass | None + Pending In
      From                  | pass | -
      From + Pending Out    | pass | From
      Both                  | pass | From
      """;

  private static final String A_2_3_OUTBOUND_SUBSCRIBED =
      """
      None                  | advance | -
      None + Pending Out    | advance | -
      None + Pending In     | pass    | From
      None + Pending Out+In | pass    | From + Pending Out
      To                    | advance | -
      To + Pending In       | pass    | Both
      From                  | drop    | -
      From + Pending Out    | drop    | -
      Both                  | drop    | -
      """;

  private static final String A_2_4_OUTBOUND_UNSUBSCRIBED =
      """
      None                  | drop | -
      None + Pending Out    | drop | -
      None + Pending In     | pass | None
      None + Pending Out+In | pass | None + Pending Out
      To                    | drop | -
      To + Pending In       | pass | To
      From                  | pass | None
      From + Pending Out    | pass | None + Pending Out
      Both                  | pass | To
      """;

  private static final String A_3_1_INBOUND_SUBSCRIBE =
      """
      None                  | pass   | None + Pending In
      None + Pending Out    | pass   | None + Pending Out+In
      None + Pending In     | drop   | -
      None + Pending Out+In | drop   | -
      To                    | pass   | To + Pending In
      To + Pending In       | drop   | -
      From                  | answer | -
      From + Pending Out    | answer | -
      Both                  | answer | -
      """;

  /// The footnotes of A.3.1. Where a request waits already there is nothing to approve in advance,
  /// so the cells of the pending-in states are not in the RFC; they must at least lose nothing.
  private static final String A_3_1_INBOUND_SUBSCRIBE_APPROVED =
      """
      None                  | answer | From
      None + Pending Out    | answer | From + Pending Out
      None + Pending In     | drop   | -
      None + Pending Out+In | drop   | -
      To                    | answer | Both
      To + Pending In       | drop   | -
      From                  | answer | -
      From + Pending Out    | answer | -
      Both                  | answer | -
      """;

  private static final String A_3_2_INBOUND_UNSUBSCRIBE =
      """
      None                  | drop | -
      None + Pending Out    | drop | -
      None + Pending In     | pass | None
      None + Pending Out+In | pass | None + Pending Out
      To                    | drop | -
      To + Pending In       | pass | To
      From                  | pass | None
      From + Pending Out    | pass | None + Pending Out
      Both                  | pass | To
      """;

  private static final String A_3_3_INBOUND_SUBSCRIBED =
      """
      None                  | drop | -
      None + Pending Out    | pass | To
      None + Pending In     | drop | -
      None + Pending Out+In | pass | To + Pending In
      To                    | drop | -
      To + Pending In       | drop | -
      From                  | drop | -
      From + Pending Out    | pass | Both
      Both                  | drop | -
      """;

  private static final String A_3_4_INBOUND_UNSUBSCRIBED =
      """
      None                  | drop | -
      None + Pending Out    | pass | None
      None + Pending In     | drop | -
      None + Pending Out+In | pass | None + Pending In
      To                    | pass | None
      To + Pending In       | pass | None + Pending In
      From                  | drop | -
      From + Pending Out    | pass | From
      Both                  | pass | From
      """;

  @FunctionalInterface
  private interface Table {
    Transition apply(SubscriptionState state);
  }

  @TestFactory
  Stream<DynamicTest> row66_everyStateAndEveryStanza() {
    return Stream.of(
            table(A_2_1_OUTBOUND_SUBSCRIBE, "A.2.1", s -> s.outbound(Presence.Type.SUBSCRIBE)),
            table(A_2_2_OUTBOUND_UNSUBSCRIBE, "A.2.2", s -> s.outbound(Presence.Type.UNSUBSCRIBE)),
            table(A_2_3_OUTBOUND_SUBSCRIBED, "A.2.3", s -> s.outbound(Presence.Type.SUBSCRIBED)),
            table(
                A_2_4_OUTBOUND_UNSUBSCRIBED, "A.2.4", s -> s.outbound(Presence.Type.UNSUBSCRIBED)),
            table(A_3_1_INBOUND_SUBSCRIBE, "A.3.1", s -> s.inbound(Presence.Type.SUBSCRIBE, false)),
            table(
                A_3_1_INBOUND_SUBSCRIBE_APPROVED,
                "A.3.1 approved",
                s -> s.inbound(Presence.Type.SUBSCRIBE, true)),
            table(
                A_3_2_INBOUND_UNSUBSCRIBE,
                "A.3.2",
                s -> s.inbound(Presence.Type.UNSUBSCRIBE, false)),
            table(
                A_3_3_INBOUND_SUBSCRIBED, "A.3.3", s -> s.inbound(Presence.Type.SUBSCRIBED, false)),
            table(
                A_3_4_INBOUND_UNSUBSCRIBED,
                "A.3.4",
                s -> s.inbound(Presence.Type.UNSUBSCRIBED, false)))
        .flatMap(List::stream);
  }

  private static List<DynamicTest> table(String rows, String section, Table actual) {
    List<DynamicTest> tests = new ArrayList<>();
    Set<SubscriptionState> seen = EnumSet.noneOf(SubscriptionState.class);
    for (String row : rows.lines().toList()) {
      List<String> cells = Stream.of(row.split("\\|", -1)).map(String::strip).toList();
      SubscriptionState state = state(cells.get(0));
      seen.add(state);
      Transition expected =
          new Transition(
              effect(cells.get(1)), cells.get(2).equals("-") ? state : state(cells.get(2)));
      tests.add(
          dynamicTest(
              section + ", " + cells.get(0),
              () -> assertThat(actual.apply(state)).isEqualTo(expected)));
    }
    assertThat(seen).as(section).hasSize(9);
    return tests;
  }

  private static SubscriptionState state(String name) {
    return SubscriptionState.valueOf(
        name.replace(" + ", "_")
            .replace("Out+In", "Out_In")
            .replace(' ', '_')
            .toUpperCase(Locale.ROOT));
  }

  private static Effect effect(String word) {
    return switch (word) {
      case "pass" -> Effect.PASS_ON;
      case "drop" -> Effect.DROP;
      case "advance" -> Effect.APPROVE_IN_ADVANCE;
      case "answer" -> Effect.ANSWER_SUBSCRIBED;
      default -> throw new IllegalArgumentException(word);
    };
  }

  @ParameterizedTest
  @EnumSource(SubscriptionState.class)
  void stateOfAnItemIsTheStateThatMadeIt(SubscriptionState state) {
    assertThat(
            SubscriptionState.of(item(state.subscription(), state.pendingOut(), state.pendingIn())))
        .isEqualTo(state);
  }

  @Test
  void whatIsThereDoesNotWait() {
    assertThat(SubscriptionState.of(item(Subscription.BOTH, true, true)))
        .isEqualTo(SubscriptionState.BOTH);
    assertThat(SubscriptionState.of(item(Subscription.TO, true, false)))
        .isEqualTo(SubscriptionState.TO);
    assertThat(SubscriptionState.of(item(Subscription.FROM, false, true)))
        .isEqualTo(SubscriptionState.FROM);
  }

  @ParameterizedTest
  @EnumSource(
      value = Presence.Type.class,
      names = {"AVAILABLE", "UNAVAILABLE", "PROBE", "ERROR"})
  void otherPresenceHasNoPlaceInTheTables(Presence.Type type) {
    assertThatThrownBy(() -> SubscriptionState.NONE.outbound(type))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SubscriptionState.NONE.inbound(type, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static RosterItem item(Subscription subscription, boolean ask, boolean request) {
    Jid contact = Jid.of("juliet", "example.org", null);
    return new RosterItem(
        contact,
        null,
        subscription,
        ask,
        false,
        List.of(),
        request ? Presence.of(Presence.Type.SUBSCRIBE, contact, null, null, List.of()) : null,
        true);
  }
}
