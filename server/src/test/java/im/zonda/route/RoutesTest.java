package im.zonda.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RoutesTest {
  private static final Jid MONTAGUE = Jid.of("montague.example");
  private static final Jid CAPULET = Jid.of("capulet.example");
  private static final Jid ROMEO = Jid.of("romeo@montague.example/orchard");
  private static final Jid JULIET = Jid.of("juliet@capulet.example/balcony");
  private static final QName ERROR = new QName("jabber:client", "error");

  private final Routes routes = new Routes();
  private final List<Envelope> montague = new ArrayList<>();

  private static Message message(Jid from, Jid to) {
    return Message.of(Message.Type.CHAT, from, to, "m1", List.of());
  }

  private static String condition(Stanza stanza) {
    Element error = stanza.payload(ERROR);
    return error == null ? "none" : error.children().getFirst().name().name();
  }

  @Test
  void aStanzaGoesToTheDestinationOfItsDomain() {
    List<Envelope> capulet = new ArrayList<>();
    routes.add(MONTAGUE, montague::add);
    routes.add(CAPULET, capulet::add);
    Envelope envelope = Envelope.of(message(ROMEO, JULIET));
    routes.route(envelope);

    assertThat(capulet).containsExactly(envelope);
    assertThat(montague).isEmpty();
    assertThat(routes.domains()).containsExactlyInAnyOrder("montague.example", "capulet.example");
  }

  @Test
  void aDomainWithoutARouteIsAnsweredWithRemoteServerNotFound() {
    routes.add(MONTAGUE, montague::add);
    routes.route(Envelope.of(message(ROMEO, JULIET)));
    routes.route(Envelope.of(Presence.of(Presence.Type.AVAILABLE, ROMEO, JULIET, "p", List.of())));
    routes.route(Envelope.of(Presence.of(Presence.Type.SUBSCRIBE, ROMEO, JULIET, "p", List.of())));
    routes.route(Envelope.of(Iq.of(Iq.Type.RESULT, ROMEO, JULIET, "q", null)));

    assertThat(montague)
        .extracting(envelope -> envelope.stanza().id() + " " + condition(envelope.stanza()))
        .containsExactly("m1 remote-server-not-found", "p remote-server-not-found");
    assertThat(routes.errors().count()).isEqualTo(2);
  }

  @Test
  void anErrorThatReachesNobodyIsNotAnswered() {
    routes.route(Envelope.of(message(ROMEO, JULIET)));
    assertThat(routes.errors().count()).isEqualTo(1);
  }

  /// A room sends one envelope to an occupant with several sessions.
  @Test
  void whereSeveralSessionsAreNotKnownEachGetsAnEnvelope() {
    Jid chamber = Jid.of("juliet@capulet.example/chamber");
    Envelope envelope =
        Envelope.of(message(ROMEO, JULIET))
            .withAuthor(MONTAGUE)
            .withSessions(List.of(JULIET, chamber));
    routes.add(MONTAGUE, montague::add);
    List<Envelope> far = new ArrayList<>();
    routes.setRemote(far::add);
    routes.route(envelope);
    assertThat(far).extracting(each -> each.stanza().to()).containsExactly(JULIET, chamber);
    assertThat(far).allSatisfy(each -> assertThat(each.others()).isEmpty());
    assertThat(far).extracting(Envelope::author).containsExactly(MONTAGUE, MONTAGUE);

    List<Envelope> near = new ArrayList<>();
    Destination home =
        new Destination() {
          @Override
          public void accept(Envelope arrived) {
            near.add(arrived);
          }

          @Override
          public boolean acceptsForSeveral(Stanza stanza) {
            return true;
          }
        };
    routes.add(CAPULET, home);
    routes.route(envelope);
    assertThat(near).containsExactly(envelope);
    assertThat(envelope.sessions()).containsExactly(JULIET, chamber);
  }

  /// A room that sends again may have other sessions of the occupant.
  @Test
  void theLogKnowsAPrivateMessageWhicheverSessionsGetIt() {
    Jid chamber = Jid.of("juliet@capulet.example/chamber");
    Envelope direct = Envelope.of(message(ROMEO, JULIET));
    Envelope indirect = direct.withAuthor(MONTAGUE);
    long known = indirect.withSessions(List.of(JULIET, chamber)).receivedIdentity(7);
    assertThat(indirect.withSessions(List.of(chamber)).receivedIdentity(7)).isEqualTo(known);
    assertThat(indirect.receivedIdentity(8)).isNotEqualTo(known);
    assertThat(direct.receivedIdentity(7))
        .isNotEqualTo(known)
        .isNotEqualTo(direct.withSessions(List.of(chamber)).receivedIdentity(7));
    assertThat(indirect.receivedIdentity(0)).isZero();
    // One stanza may be for the account by its own address, too (XEP-0033).
    assertThat(Envelope.of(message(ROMEO, JULIET.bare())).receivedIdentity(7)).isNotEqualTo(known);
  }

  @Test
  void aStanzaWithoutAnAddresseeCannotBeRouted() {
    Message nowhere = Message.of(Message.Type.CHAT, ROMEO, null, null, List.of());
    assertThatThrownBy(() -> routes.route(Envelope.of(nowhere)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDomainHasOneRoute() {
    Destination first = montague::add;
    Destination second = envelope -> {};
    routes.add(MONTAGUE, first);
    assertThatThrownBy(() -> routes.add(MONTAGUE, second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("montague.example");

    assertThat(routes.remove(MONTAGUE, second)).isFalse();
    assertThat(routes.remove(MONTAGUE, first)).isTrue();
    routes.add(MONTAGUE, second);
    assertThat(routes.to(ROMEO)).isSameAs(second);
  }

  @Test
  void theErrorForAnEnvelopeCarriesItsAuthor() {
    routes.add(MONTAGUE, montague::add);
    Envelope envelope = Envelope.of(message(ROMEO, JULIET)).withAuthor(JULIET);
    routes.errors().reject(envelope, StanzaError.of(ErrorCondition.ITEM_NOT_FOUND));
    routes.errors().reject(envelope.stanza(), StanzaError.of(ErrorCondition.FORBIDDEN));

    assertThat(montague).extracting(Envelope::author).containsExactly(JULIET, null);
    assertThat(montague)
        .extracting(answer -> condition(answer.stanza()))
        .containsExactly("item-not-found", "forbidden");
  }

  @Test
  void whileRoutesComeAndGoEveryStanzaIsAcceptedOrAnswered() throws Exception {
    int threads = 3;
    int each = 20_000;
    AtomicInteger accepted = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    routes.add(MONTAGUE, envelope -> answered.incrementAndGet());
    Destination capulet = envelope -> accepted.incrementAndGet();
    List<Future<?>> senders = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(threads + 1)) {
      for (int t = 0; t < threads; t++) {
        senders.add(
            executor.submit(() -> {
              for (int i = 0; i < each; i++) {
                routes.route(Envelope.of(message(ROMEO, JULIET)));
              }
            }));
      }
      while (!senders.stream().allMatch(Future::isDone)) {
        routes.add(CAPULET, capulet);
        assertThat(routes.remove(CAPULET, capulet)).isTrue();
      }
      for (Future<?> sender : senders) {
        sender.get();
      }
    }
    assertThat(accepted.get() + answered.get()).isEqualTo(threads * each);
  }
}
