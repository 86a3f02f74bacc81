package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OccupantRequestsTest {
  private static final String HAG = "hag@example.org/pda";
  private static final Jid CRONE = Jid.of("crone@example.org/desktop");

  private final TestRoom test = new TestRoom();
  private final OccupantRequests requests =
      new OccupantRequests(
          test.context,
          () -> test.settings,
          () -> {
            throw new AssertionError("no time has passed");
          });

  OccupantRequestsTest() {
    test.enter(CRONE.toString(), "firstwitch");
    test.enter(HAG, "thirdwitch");
  }

  private List<Stanza> ask(String from, String nick, String payload) {
    Iq iq = TestXml.iq("<iq type='get' id='v1'>" + payload + "</iq>");
    requests.forward(
        test.home,
        iq.withAddresses(Jid.of(from), TestRoom.JID.withResource(nick)),
        Objects.requireNonNull(iq.payloadName()));
    return test.context.takeSent();
  }

  private void answer(Jid from, Stanza request) {
    requests.handleResponse(
        test.home,
        Iq.of(
            Iq.Type.RESULT,
            from,
            TestRoom.JID.withResource("thirdwitch"),
            Objects.requireNonNull(request.id()),
            null));
  }

  /// Reliability row 80.
  @Test
  void row80_tooManyRequestsAreRejected() {
    for (int i = 0; i < test.settings.messageRate(); i++) {
      List<Stanza> passed = ask(HAG, "firstwitch", "<query xmlns='jabber:iq:version'/>");
      assertThat(passed).singleElement().satisfies(only -> assertThat(only.to()).isEqualTo(CRONE));
      answer(CRONE, passed.getFirst());
      test.context.takeSent();
    }
    assertThat(ask(HAG, "firstwitch", "<query xmlns='jabber:iq:version'/>"))
        .singleElement()
        .satisfies(only -> assertThat(only.toString()).contains("policy-violation"));
  }

  /// Reliability row 80.
  @Test
  void row80_aResponseGoesToTheRequesterOrNowhere() {
    Stanza passed = ask(HAG, "firstwitch", "<query xmlns='jabber:iq:version'/>").getFirst();
    answer(Jid.of("hecate@example.org/broom"), passed);
    assertThat(test.context.takeSent()).isEmpty();
    test.room().leave(Jid.of(HAG));
    answer(CRONE, passed);
    assertThat(test.context.takeSent()).isEmpty();
  }

  @Test
  void aPingOfAnotherSessionOfTheSameOccupantIsAnsweredByTheRoom() {
    test.enter("hag@example.org/home", "thirdwitch");
    assertThat(ask("hag@example.org/home", "thirdwitch", "<ping xmlns='urn:xmpp:ping'/>"))
        .singleElement()
        .satisfies(only -> {
          assertThat(((Iq) only).type()).isEqualTo(Iq.Type.RESULT);
          assertThat(only.to()).isEqualTo(Jid.of("hag@example.org/home"));
        });
  }

  @Test
  void aSessionOutsideOfTheRoomIsRejectedThoughItsAccountIsInTheRoom() {
    assertThat(ask("hag@example.org/home", "thirdwitch", "<ping xmlns='urn:xmpp:ping'/>"))
        .singleElement()
        .satisfies(only -> assertThat(only.toString()).contains("not-acceptable"));
  }
}
