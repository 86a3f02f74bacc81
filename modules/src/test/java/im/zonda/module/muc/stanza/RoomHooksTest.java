package im.zonda.module.muc.stanza;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.hook.Phase;
import im.zonda.hook.RoomMessageFilter;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.XmppModule;
import im.zonda.module.muc.MucModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What the filters of rooms decide.
final class RoomHooksTest {
  private static final Jid ROOM = Jid.of("coven@rooms.example.org");
  private static final Jid CRONE = Jid.of("crone@example.org/desktop");
  private static final QName BODY = new QName("jabber:client", "body");

  /// A stanza that has an entry in the log, if it is not 0.
  private record Stored(long entry) implements Origin {
    @Override
    public boolean acknowledges() {
      return false;
    }

    @Override
    public void hold() {}

    @Override
    public void release() {}
  }

  private record Filtering(List<RoomMessageFilter> filters) implements XmppModule {
    @Override
    public String name() {
      return "filtering";
    }

    @Override
    public void install(ModuleContext context) {
      filters.forEach(each -> context.onRoomMessage(Phase.REWRITE, each));
    }
  }

  private final TestContext context = new TestContext();

  private RoomHooks hooks(RoomMessageFilter... filters) {
    context.install(new Filtering(List.of(filters)));
    return new RoomHooks(context);
  }

  private static Message said(String text) {
    return TestXml.message(
        "<message type='groupchat' id='m' from='%s' to='%s'><body>%s</body></message>"
            .formatted(CRONE, ROOM, text));
  }

  private static Envelope stored(Message message, long entry) {
    return new Envelope(message, new Stored(entry), null);
  }

  private static Verdict appended(Message message, String more) {
    Element body = Element.builder(BODY).text(message.body() + more).build();
    return Verdict.replace(
        message.withoutPayloads(each -> each.name().equals(BODY)).withPayload(body));
  }

  @Test
  void eachFilterSeesWhatTheOneBeforeItHasLeft() {
    RoomHooks hooks =
        hooks((message, room) -> appended(message, "b"), (message, room) -> appended(message, "c"));
    Message passed = hooks.pass(ROOM, said("a"), stored(said("a"), 0));
    assertThat(Objects.requireNonNull(passed).body()).isEqualTo("abc");
    assertThat(passed.from()).isEqualTo(CRONE);
  }

  @Test
  void nothingIsAskedOnceAMessageIsStopped() {
    RoomHooks hooks =
        hooks(
            (message, room) -> Verdict.handled(),
            (message, room) -> {
              throw new IllegalStateException("asked");
            });
    assertThat(hooks.pass(ROOM, said("a"), stored(said("a"), 0))).isNull();
    assertThat(context.takeSent()).isEmpty();
  }

  @Test
  void aRefusedMessageIsAnsweredAtTheTrueAddressUnlessTheLogHasIt() {
    RoomHooks hooks = hooks((message, room) -> Verdict.refuse(ErrorCondition.FORBIDDEN));
    assertThat(hooks.pass(ROOM, said("a"), stored(said("a"), 0))).isNull();
    assertThat(context.takeSent())
        .singleElement()
        .satisfies(error -> {
          assertThat(error.to()).isEqualTo(CRONE);
          assertThat(error.from()).isEqualTo(ROOM);
          assertThat(error.isError()).isTrue();
        });
    assertThat(hooks.pass(ROOM, said("a"), stored(said("a"), 7))).isNull();
    assertThat(context.takeSent()).isEmpty();
  }

  @Test
  void whatIsForOtherHooksIsADefect() {
    RoomHooks hooks = hooks((message, room) -> new Verdict.Each(List.of(message)));
    assertThatThrownBy(() -> hooks.pass(ROOM, said("a"), stored(said("a"), 0)))
        .isInstanceOf(IllegalStateException.class);
  }

  private <T> T found(DomainService<T> service) {
    T room = service.load(ROOM);
    service.accept(
        room,
        Envelope.of(
            TestXml.presence(
                "<presence from='%s' to='%s/first'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                    .formatted(CRONE, ROOM))));
    context.takeSent();
    return room;
  }

  private <T> List<String> sentAgain(DomainService<T> service, String text) {
    T room = found(service);
    service.accept(room, stored(said(text), 1));
    return context.takeSent().stream()
        .filter(Message.class::isInstance)
        .map(each -> ((Message) each).body())
        .map(String::valueOf)
        .toList();
  }

  /// The log has the filtered message, and the client sends its own.
  @Test
  void aMessageThatTheFormerHomeOfTheRoomHasStoredIsFilteredAgain() {
    context.install(
        new MucModule(),
        new Filtering(List.of((message, room) -> appended(message, " (filtered)"))));
    assertThat(sentAgain(context.host().services().getFirst(), "a"))
        .containsExactly("a (filtered)");
  }

  /// Otherwise a member would speak again at once after a reaction that the filter drops.
  @Test
  void whatIsDroppedDoesNotEndTheTimeOfSlowMode() {
    context.install(
        new MucModule(),
        new Filtering(
            List.of((message, room) ->
                message.hasBody() && !"bad".equals(message.body())
                    ? Verdict.pass()
                    : new Verdict.Drop(Reason.MODULE))));
    assertThat(spoken(context.host().services().getFirst(), "bad", "one", "", "two"))
        .containsExactly("nothing", "one", "nothing", "error");
  }

  /// What a member gets for each of these messages in a room in slow mode (XEP-0500).
  private <T> List<String> spoken(DomainService<T> service, String... texts) {
    T room = found(service);
    service.accept(
        room,
        Envelope.of(
            TestXml.iq(
                """
                <iq type='set' id='1' from='%s' to='%s'>\
                <query xmlns='http://jabber.org/protocol/muc#owner'>\
                <x xmlns='jabber:x:data' type='submit'>\
                <field var='muc#roomconfig_slow_mode_duration'><value>60</value></field>\
                </x></query></iq>\
                """
                    .formatted(CRONE, ROOM))));
    String hag = "hag@example.org/pda";
    service.accept(
        room,
        Envelope.of(
            TestXml.presence(
                "<presence from='%s' to='%s/hag'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                    .formatted(hag, ROOM))));
    context.takeSent();
    List<String> gets = new ArrayList<>();
    for (String text : texts) {
      String body = text.isEmpty() ? "" : "<body>" + text + "</body>";
      service.accept(
          room,
          Envelope.of(
              TestXml.message(
                  "<message type='groupchat' from='%s' to='%s'>%s</message>"
                      .formatted(hag, ROOM, body))));
      gets.add(
          context.takeSent().stream()
              .filter(each -> Jid.of(hag).equals(each.to()))
              .map(each -> each.isError() ? "error" : String.valueOf(((Message) each).body()))
              .findFirst()
              .orElse("nothing"));
    }
    return gets;
  }

  @Test
  void messagesMayBlockWhileAFilterMay() {
    context.install(new MucModule());
    assertThat(mayBlock(context.host().services().getFirst())).isFalse();
    context.install(
        new Filtering(
            List.of(
                new RoomMessageFilter() {
                  @Override
                  public Verdict filter(Message message, Jid room) {
                    return Verdict.pass();
                  }

                  @Override
                  public boolean mayBlock() {
                    return true;
                  }
                })));
    assertThat(mayBlock(context.host().services().getFirst())).isTrue();
  }

  private <T> boolean mayBlock(DomainService<T> service) {
    T room = found(service);
    service.accept(room, stored(said("first"), 0));
    context.takeSent();
    Stanza other = TestXml.presence("<presence from='%s' to='%s/first'/>".formatted(CRONE, ROOM));
    assertThat(service.mayBlock(room, other)).isFalse();
    return service.mayBlock(room, said("a"));
  }
}
