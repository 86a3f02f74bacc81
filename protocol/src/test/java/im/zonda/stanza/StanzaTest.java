package im.zonda.stanza;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import im.zonda.xml.framing.XmlParser;
import im.zonda.xml.framing.XmppFramer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StanzaTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net/orchard");
  private static final Jid JULIET = Jid.of("juliet@example.com");
  private static final QName BODY = new QName("jabber:client", "body");
  private static final QName STORE = new QName("urn:xmpp:hints", "store");

  @Test
  void aPlainMessageKeepsItsBytesAfterANewStartTag() throws Exception {
    Message message =
        (Message)
            stanza(
                "<message id=\"a'1\" to='JULIET@example.com' type='chat'><body>&lt;a>b&#x20;"
                    + "<![CDATA[<]]></body> </message>");
    assertThat(message.type()).isEqualTo(Message.Type.CHAT);
    assertThat(message.to()).isEqualTo(JULIET);
    assertThat(message.id()).isEqualTo("a'1");
    assertThat(message.hasBody()).isTrue();
    assertThat(written(message.withAddresses(ROMEO, JULIET)))
        .isEqualTo(
            "<message from='romeo@example.net/orchard' to='juliet@example.com' id=\"a'1\""
                + " type='chat'><body>&lt;a>b&#x20;<![CDATA[<]]></body> </message>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message/>",
        "<message />",
        "<message></message>",
        "<message to='juliet@example.com' ><body>x</body></message >",
        "<message xml:lang='de' type='groupchat'>t<a xmlns='u'/>t<b xmlns='v'><c/></b>t</message>",
        "<message xmlns='jabber:client' id='1'><x xmlns='urn:x'/></message>",
        "<message xmlns:p='urn:p'><p:a p:b='c'/></message>",
        "<message a='b'><body>x</body></message>",
        "<message><stream:a/></message>",
      })
  void aWrittenStanzaEqualsTheReadOneWithNewAddresses(String text) throws Exception {
    Element before = XmlParser.parse(text, "jabber:client");
    Stanza stanza = stanza(text);
    assertThat(stanza.toElement()).isEqualTo(before);
    Stanza addressed = stanza.withAddresses(ROMEO, JULIET);
    Element expected =
        before.toBuilder()
            .attribute("from", ROMEO.toString())
            .attribute("to", JULIET.toString())
            .build();
    assertThat(addressed.toElement()).isEqualTo(expected);
    assertThat(reread(addressed)).isEqualTo(expected);
    assertThat(written(addressed).length()).isLessThanOrEqualTo(addressed.writtenSize() + 16);

    Element hint = Element.of(STORE);
    Stanza more = addressed.withPayload(hint);
    assertThat(more.toElement()).isEqualTo(expected.toBuilder().child(hint).build());
    assertThat(reread(more)).isEqualTo(more.toElement());
    assertThat(more.payloads()).endsWith(hint);
    assertThat(more.payloadNames()).hasSize(before.children().size() + 1);
    for (int i = 0; i < more.payloads().size(); i++) {
      assertThat(more.payloads().get(i).name()).isEqualTo(more.payloadNames().get(i));
    }
    assertThat(more.has(STORE)).isTrue();
    assertThat(more.payload(STORE)).isEqualTo(hint);
    assertThat(more.withoutPayloads(hint::equals).toElement().children())
        .isEqualTo(before.children());
    assertThat(reread(more.withoutPayloads(e -> !e.equals(hint))).children()).containsExactly(hint);
    assertThat(more.withoutPayloads(e -> false)).isSameAs(more);
    if (more instanceof Message message) {
      assertThat(message.withoutPayloads(STORE, hint::equals).toElement().children())
          .isEqualTo(before.children());
      assertThat(message.withoutPayloads(STORE, e -> false)).isSameAs(message);
      assertThat(message.withoutPayloads(new QName("urn:none", "none"), e -> true))
          .isSameAs(message);
    }
    Stanza german = more.withLang("de").withPayload(hint);
    assertThat(german.lang()).isEqualTo("de");
    assertThat(reread(german)).isEqualTo(german.toElement());
    assertThat(german.withLang(null).lang()).isNull();
    assertThat(reread(german.withLang(null))).isEqualTo(german.withLang(null).toElement());
  }

  @Test
  void aPrefixOfTheStreamHeaderDoesNotLeaveItsStream() throws Exception {
    List<Frame> frames = new ArrayList<>();
    FrameHandler handler =
        new FrameHandler() {
          @Override
          public void onStreamOpen(StreamHeader header) {}

          @Override
          public void onFrame(Frame frame) {
            frames.add(frame);
          }

          @Override
          public void onStreamClose() {}
        };
    byte[] stream =
        ("<s:stream xmlns='jabber:client' xmlns:s='http://etherx.jabber.org/streams' xmlns:x='urn:x'>"
                + "<message><a><x:b/></a></message><message><a x:b='c'/></message>"
                + "<x:message xmlns:x='jabber:client'><x:body>d</x:body></x:message>")
            .getBytes(UTF_8);
    new XmppFramer(XmlLimits.CLIENT, handler).feed(stream, 0, stream.length);
    assertThat(frames).extracting(Frame::usesStreamPrefix).containsExactly(true, true, false);
    assertThat(written(Stanza.of(frames.get(0))))
        .isEqualTo("<message><a><b xmlns='urn:x'/></a></message>");
    assertThat(written(Stanza.of(frames.get(1))))
        .isEqualTo("<message><a xmlns:ns1='urn:x' ns1:b='c'/></message>");
    assertThat(written(Stanza.of(frames.get(2)))).isEqualTo("<message><body>d</body></message>");
  }

  @Test
  void addressesAreEscaped() throws Exception {
    Jid quote = Jid.of("a@example.com/x' from='admin@example.com");
    Stanza stanza = stanza("<message/>").withAddresses(quote, quote);
    assertThat(written(stanza)).contains("/x&apos; from=&apos;admin");
    assertThat(reread(stanza).attribute("from")).isEqualTo(quote.toString());
    assertThat(stanza("<message from='a@example.com/x&apos;&amp;'/>").from())
        .isEqualTo(Jid.of("a@example.com/x'&"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<message to='a@b@c'/> | JID_MALFORMED | true",
        "<message to=''/> | JID_MALFORMED | true",
        "<message from='@b' type='error'/> | JID_MALFORMED | false",
        "<iq type='result' id='1' to='@'/> | JID_MALFORMED | false",
        "<iq type='get'><a/></iq> | BAD_REQUEST | true",
        "<iq id='1'><a/></iq> | BAD_REQUEST | true",
        "<iq id='1' type='put'><a/></iq> | BAD_REQUEST | true",
        "<iq id='1' type='get'/> | BAD_REQUEST | true",
        "<iq id='1' type='set'><a/><b/></iq> | BAD_REQUEST | true",
        "<iq id='1' type='result'><a/><b/></iq> | BAD_REQUEST | false",
        "<iq id='1' x='y' type='set'><a/><b/></iq> | BAD_REQUEST | true",
        "<presence type='here'/> | BAD_REQUEST | true",
        "<presence><priority>128</priority></presence> | BAD_REQUEST | true",
        "<presence><priority>-2147483648</priority></presence> | BAD_REQUEST | true",
        "<presence><priority>x</priority></presence> | BAD_REQUEST | true",
        "<presence><priority/></presence> | BAD_REQUEST | true",
        "<foo/> | BAD_REQUEST | false",
        "<message xmlns='urn:x'/> | BAD_REQUEST | false",
      })
  void row98_aBrokenHeadIsRefused(String text, ErrorCondition condition, boolean answerable) {
    StanzaFormatException refused =
        catchThrowableOfType(StanzaFormatException.class, () -> stanza(text));
    assertThat(refused.condition()).isEqualTo(condition);
    assertThat(refused.answerable()).isEqualTo(answerable);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<iq type='get'><a/></iq> | <iq from='a@b' to='c@d/e' type='error'>",
        "<iq/> | <iq from='a@b' to='c@d/e' type='error'>",
        "<iq to='x@y' id='1'/> | <iq from='x@y' to='c@d/e' id='1' type='error'>",
        "<iq to='@&lt;&amp;' type='set'/> | <iq to='c@d/e' from='@&lt;&amp;' type='error'>",
        "<message id='2' to=''/> | <message from='a@b' to='c@d/e' id='2' type='error'>",
        "<message to='a@'><b/></message> | <message to='c@d/e' from='a@' type='error'>",
        "<presence xml:lang='de' to='/'/> | <presence to='c@d/e' from='/' type='error'>",
      })
  void anErrorComesFromWhatTheSenderHasWrittenTo(String text, String start) throws Exception {
    StanzaFormatException refused =
        catchThrowableOfType(StanzaFormatException.class, () -> stanza(text));
    Stanza reply = requireNonNull(refused.reply(Jid.of("a@b"), Jid.of("c@d/e")));
    String xml = written(reply);
    assertThat(xml).startsWith(start + "<error type='modify'>");
    assertThat(reply.writtenSize()).isGreaterThanOrEqualTo(xml.length() - 20);

    Stanza again = Stanza.reread(XmlParser.frame(xml, Namespaces.CLIENT));
    assertThat(again.getClass()).isEqualTo(reply.getClass());
    assertThat(again.isError()).isTrue();
    assertThat(written(again)).isEqualTo(xml);
    assertThat(again.toElement()).isEqualTo(reply.toElement());
    assertThat(written(again.withLang("fr"))).contains(" from=").contains("xml:lang='fr'");
    assertThat(written(again.withAddresses(ROMEO, JULIET))).containsOnlyOnce(" from='");
    if (again instanceof Message message) {
      assertThat(written(message.packed())).isEqualTo(xml);
    }
  }

  @Test
  void anAddressThatWasAllowedOnceIsReadAgain() throws Exception {
    String old =
        "<message from='coven@c/a\u00B7b' to='juliet@example.com'><body>x</body></message>";
    assertThatThrownBy(() -> stanza(old)).isInstanceOf(StanzaFormatException.class);
    Stanza stanza = Stanza.reread(XmlParser.frame(old, Namespaces.CLIENT));
    assertThat(stanza.from()).isEqualTo(Jid.stored("coven@c/a\u00B7b"));
    assertThat(written(stanza)).isEqualTo(old);
  }

  @Test
  void whatIsLongerThanAnAddressIsNotRepeated() throws Exception {
    StanzaFormatException refused =
        catchThrowableOfType(
            StanzaFormatException.class,
            () -> stanza("<message to='@" + "x".repeat(3_071) + "'/>"));
    Stanza reply = requireNonNull(refused.reply(Jid.of("a@b"), null));
    assertThat(reply.from()).isEqualTo(Jid.of("a@b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<iq/>", "<message to='@'/>", "<foo type='error'/>"})
  void onlyErrorsAreReadAgainWithoutChecks(String text) {
    assertThatThrownBy(() -> Stanza.reread(XmlParser.frame(text, Namespaces.CLIENT)))
        .isInstanceOf(StanzaFormatException.class);
  }

  @Test
  void typesAreRead() throws Exception {
    assertThat(((Message) stanza("<message type='no such'/>")).type())
        .isEqualTo(Message.Type.NORMAL);
    assertThat(((Message) stanza("<message type='ch&#97;t'/>")).type())
        .isEqualTo(Message.Type.CHAT);
    for (Presence.Type type : Presence.Type.values()) {
      Presence built = Presence.of(type, ROMEO, JULIET, null, List.of());
      assertThat(((Presence) stanza(written(built))).type()).isEqualTo(type);
    }
    for (Message.Type type : Message.Type.values()) {
      Message built = Message.of(type, ROMEO, JULIET, "1", List.of());
      assertThat(((Message) stanza(written(built))).type()).isEqualTo(type);
    }
    for (Iq.Type type : Iq.Type.values()) {
      Iq built = Iq.of(type, ROMEO, JULIET, "1", Element.of("u", "a"));
      assertThat(((Iq) stanza(written(built))).type()).isEqualTo(type);
    }
    assertThat(((Presence) stanza("<presence><priority> -5 </priority></presence>")).priority())
        .isEqualTo(-5);
  }

  @Test
  void repliesExchangeTheAddresses() throws Exception {
    Iq request =
        (Iq)
            stanza(
                    "<iq type='get' id='7' to='juliet@example.com'><ping xmlns='urn:xmpp:ping'/></iq>")
                .withAddresses(ROMEO, JULIET);
    assertThat(request.payloadName()).isEqualTo(new QName("urn:xmpp:ping", "ping"));
    assertThat(written(Iq.result(request, null)))
        .isEqualTo(
            "<iq from='juliet@example.com' to='romeo@example.net/orchard' id='7' type='result'/>");
    Iq error = Iq.error(request, StanzaError.of(ErrorCondition.ITEM_NOT_FOUND).withText("<no>"));
    assertThat(error.isError()).isTrue();
    assertThat(error.payload()).isNull();
    assertThat(reread(error).child("error")).isNotNull();
    Message message = Message.of(Message.Type.CHAT, ROMEO, JULIET, "1", List.of());
    assertThat(Message.error(message, StanzaError.of(ErrorCondition.GONE)).to()).isEqualTo(ROMEO);
  }

  @Test
  void aBuiltMessageHasWhatItWasGiven() {
    Message message =
        Message.of(Message.Type.CHAT, null, JULIET, "x", List.of(Element.text(BODY, "a<b")));
    assertThat(written(message))
        .isEqualTo(
            "<message to='juliet@example.com' id='x' type='chat'><body>a&lt;b</body></message>");
  }

  @Test
  void packedPresenceIsTheSame() throws Exception {
    Presence presence =
        (Presence)
            stanza(
                "<presence id='1' xml:lang='en'><show>away</show><priority>5</priority>"
                    + "<c xmlns='http://jabber.org/protocol/caps' node='a&amp;b'/></presence>");
    Presence packed = presence.packed();
    assertThat(written(packed.withAddresses(ROMEO, JULIET)))
        .isEqualTo(written(presence.withAddresses(ROMEO, JULIET)));
    assertThat(packed.toElement()).isEqualTo(presence.toElement());
    assertThat(packed.payloads()).isEqualTo(presence.payloads());
    assertThat(packed.payloadNames()).isEqualTo(presence.payloadNames());
    assertThat(packed.priority()).isEqualTo(5);
    assertThat(packed.id()).isEqualTo("1");
    assertThat(packed.lang()).isEqualTo("en");
    assertThat(packed.writtenSize()).isEqualTo(written(packed).length() - "<presence".length());
    assertThat(packed.withPayload(Element.of(STORE)).has(STORE)).isTrue();
    assertThat(packed.packed().toElement()).isEqualTo(presence.toElement());
  }

  private static Stanza stanza(String text) throws StanzaFormatException, XmlException {
    return Stanza.of(XmlParser.frame(text, "jabber:client"));
  }

  private static Element reread(Stanza stanza) throws XmlException {
    return XmlParser.parse(written(stanza), "jabber:client");
  }

  private static String written(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(16);
    stanza.writeTo(sink);
    return new String(sink.toByteArray(), UTF_8);
  }
}
