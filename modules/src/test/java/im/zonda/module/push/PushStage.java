package im.zonda.module.push;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig.Host;
import im.zonda.config.Services;
import im.zonda.config.Services.Push.Content;
import im.zonda.config.limits.HostLimits;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.offline.OfflineModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHome;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/// A client with push notifications, and what its service gets.
abstract class PushStage {
  static final String SERVICE = "push-5.client.example";
  static final String NODE = "yxs32uqsflafdk3iuqo";
  static final String ENABLE =
      "<iq type='set' id='x42'><enable xmlns='urn:xmpp:push:0' jid='%s' node='%s'>%s</enable></iq>";
  static final String OPTIONS =
      "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'>"
          + "<value>http://jabber.org/protocol/pubsub#publish-options</value></field>"
          + "<field var='secret'><value>eruio234vzxc2kla-91</value></field></x>";

  TestContext context = new TestContext();
  TestSession phone = context.bind("user@example.org/mobile");

  @BeforeEach
  void start() {
    start(Content.COUNT, 10, 20);
  }

  void start(Content content, int services, int rate) {
    context = new TestContext();
    HostLimits d = context.config().limits().ofHost();
    HostLimits limits =
        new HostLimits(
            d.sessionsPerAccount(),
            d.detachedSessionsPerAccount(),
            d.rosterItems(),
            d.rosterGroups(),
            d.rosterBytes(),
            d.offlineMessages(),
            d.vcardBytes(),
            d.privateBytes(),
            d.directedPresences(),
            d.blockedAddresses(),
            d.blockedBytes(),
            services,
            d.pushBytes(),
            rate,
            d.invitations(),
            d.pubsub(),
            d.addressing());
    Services own = new Services(new Services.Push(content), Map.of(), Services.Search.DEFAULTS);
    Host host = new Host(null, null, null, own, null, null, null, limits);
    context.config(context.config().withHosts(Map.of("example.org", host)).at("example.org"));
    context.install(new OfflineModule(), new PushModule());
    phone = context.bind("user@example.org/mobile");
  }

  TestHome home() {
    return context.home(Jid.of("user@example.org"));
  }

  IqReply ask(TestSession session, String xml) {
    return context.ask(session, TestXml.iq(xml));
  }

  void enable(String node) {
    assertThat(ask(phone, ENABLE.formatted(SERVICE, node, ""))).isEqualTo(IqReply.empty());
  }

  /// A message that no session gets at once.
  void waits(String body) {
    delivered(message(body));
  }

  static Message message(String body) {
    return TestXml.message(
        "<message from='juliet@capulet.example/balcony' to='user@example.org' type='chat' id='m'>"
            + "<body>"
            + body
            + "</body></message>");
  }

  void delivered(Message message, TestSession... targets) {
    context.host().delivered(home(), message, List.of(targets));
    context.runTasks();
  }

  static String notification(String node, String summary, String options) {
    String form =
        summary.isEmpty()
            ? ""
            : "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'>"
                + "<value>urn:xmpp:push:summary</value></field>"
                + summary
                + "</x>";
    return "<iq type='set' from='user@example.org' to='"
        + SERVICE
        + "'><pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='"
        + node
        + "'><item><notification xmlns='urn:xmpp:push:0'>"
        + form
        + "</notification></item></publish>"
        + options
        + "</pubsub></iq>";
  }

  static String count(int messages) {
    return "<field var='message-count' type='text-single'><value>" + messages + "</value></field>";
  }

  void pushes(int messages) {
    Expect.sent(context, notification(NODE, count(messages), ""));
  }

  /// The service answers the last notification; true if the answer was one.
  boolean answers(String id, String type, String payload) {
    Verdict verdict =
        context.arrives(
            TestXml.iq(
                "<iq type='%s' id='%s' from='%s' to='user@example.org'>%s</iq>"
                    .formatted(type, id, SERVICE, payload)));
    context.runTasks();
    return verdict instanceof Verdict.Handled;
  }

  static String error(String type, String condition) {
    return "<error type='%s'><%s xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
        .formatted(type, condition);
  }

  /// The identifier of the one notification that was sent.
  String sentId() {
    List<Stanza> sent = context.takeSent();
    assertThat(sent).hasSize(1);
    return String.valueOf(sent.getFirst().id());
  }

  static String affiliation(String from, String node, String affiliation) {
    return """
    <message from='%s' to='user@example.org'>
    <pubsub xmlns='http://jabber.org/protocol/pubsub' node='%s'>
    <affiliation jid='user@example.org' affiliation='%s'/></pubsub></message>\
    """
        .formatted(from, node, affiliation);
  }

  void refuses(String payload, ErrorCondition condition) {
    IqReply reply = ask(phone, "<iq type='set' id='w'>" + payload + "</iq>");
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    assertThat(((IqReply.Refuse) reply).error().condition()).isEqualTo(condition);
  }
}
