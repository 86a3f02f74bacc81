package im.zonda.module.avatar;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.module.vcard.VcardModule;
import im.zonda.stanza.Presence;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AvatarModuleTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String PNG = "iVBORw0KGgo=";
  private static final String HASH = "70e7bdcf7d5fa7e1c4d7d54a3c2e1db36b1ff3a1";
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final RosterModule roster = new RosterModule();
  private final DiscoModule disco = new DiscoModule();
  private final PresenceModule presence = new PresenceModule(roster);
  private final PubSubModule pubsub = new PubSubModule(roster, disco, new MamModule(roster));
  private final VcardModule vcards = new VcardModule();
  private final AvatarModule avatars = new AvatarModule(pubsub, vcards, presence);
  private final TestContext context =
      new TestContext().install(roster, presence, disco, pubsub, vcards);

  private static String vcard(String content) {
    return "<vCard xmlns='vcard-temp'>" + content + "</vCard>";
  }

  private static String photo(String type, String data) {
    return "<PHOTO><TYPE>" + type + "</TYPE><BINVAL>" + data + "</BINVAL></PHOTO>";
  }

  private IqReply set(TestSession session, String content) {
    return context.ask(session, TestXml.iq("<iq type='set' id='s'>" + vcard(content) + "</iq>"));
  }

  private IqReply get(TestSession session) {
    return context.ask(
        session,
        TestXml.iq("<iq type='get' id='g' to='juliet@example.org'>" + vcard("") + "</iq>"));
  }

  private Presence sends(TestSession session, String content) {
    Presence sent = TestXml.presence("<presence>" + content + "</presence>");
    context.fromClient(session, sent);
    return Objects.requireNonNull(session.presence());
  }

  private static String hash(String data) {
    return Objects.requireNonNull(Picture.ofVcard(TestXml.element(vcard(photo("image/png", data)))))
        .hash();
  }

  /// A photo that was stored when nobody kept it elsewhere.
  @Test
  void aPhotoOfBeforeIsMovedWhenItsOwnerComes() {
    TestSession before = context.bind("juliet@example.org/before");
    set(before, "<FN>J</FN>" + photo("image/png", PNG));
    context.end(before);
    context.install(avatars);
    context.home(JULIET).unload();
    TestSession juliet = context.bind("juliet@example.org/balcony");
    assertThat(context.stores().pubSub().count(JULIET)).isEqualTo(2);
    byte[] stored = context.stores().keyValues("vcard").get(JULIET, "vcard");
    assertThat(new String(stored == null ? new byte[0] : stored, StandardCharsets.UTF_8))
        .contains("<FN>J</FN>")
        .doesNotContain("PHOTO");
    Expect.result(get(juliet), vcard("<FN>J</FN>" + photo("image/png", PNG)));
    assertThat(sends(juliet, "").toString()).contains(hash(PNG));
    // And the home that is loaded later knows it.
    context.home(JULIET).unload();
    assertThat(sends(juliet, "<show>away</show>").toString()).contains(hash(PNG));
  }

  private void publish(TestSession session, String node, String id, String payload) {
    IqReply reply =
        context.ask(
            session,
            TestXml.iq(
                "<iq type='set' id='p'><pubsub xmlns='%s'><publish node='%s'><item id='%s'>%s"
                        .formatted(PUBSUB, node, id, payload)
                    + "</item></publish></pubsub></iq>"));
    assertThat(reply).isInstanceOf(IqReply.Result.class);
  }

  private void publishData(TestSession session, String data) {
    String payload = "<data xmlns='urn:xmpp:avatar:data'>" + data + "</data>";
    publish(session, "urn:xmpp:avatar:data", hash(data), payload);
  }

  private void publishMetadata(TestSession session, String data) {
    String payload =
        "<metadata xmlns='urn:xmpp:avatar:metadata'><info bytes='8' id='%s' type='image/png'/>"
            .formatted(hash(data));
    publish(session, "urn:xmpp:avatar:metadata", hash(data), payload + "</metadata>");
  }

  /// XEP-0084 has the picture published first: until the metadata follows, presence tells of the
  /// one before, and never of none.
  @Test
  void anotherPictureIsOneChange() {
    context.install(avatars);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    sends(juliet, "");
    publishData(juliet, PNG);
    publishMetadata(juliet, PNG);
    assertThat(String.valueOf(juliet.presence())).contains(hash(PNG));
    String gif = "R0lGODlhAQABAA==";
    publishData(juliet, gif);
    assertThat(String.valueOf(juliet.presence())).contains(hash(PNG));
    publishMetadata(juliet, gif);
    assertThat(String.valueOf(juliet.presence())).contains(hash(gif));
    // A picture that is taken away is no picture at once.
    context.ask(
        juliet,
        TestXml.iq(
            "<iq type='set' id='r'><pubsub xmlns='%s#owner'><purge node='urn:xmpp:avatar:data'/>"
                    .formatted(PUBSUB)
                + "</pubsub></iq>"));
    assertThat(String.valueOf(juliet.presence())).contains("<photo/>");
    publishData(juliet, gif);
    assertThat(String.valueOf(juliet.presence())).contains(hash(gif));
  }

  @Test
  void aPhotoThatIsNoImageStaysInTheVcard() {
    context.install(avatars);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    for (String content :
        new String[] {
          "<PHOTO><EXTVAL>http://x/</EXTVAL></PHOTO>",
          photo("image/png", "no base64!"),
          photo("text/plain", "aGk="),
          "<PHOTO/>"
        }) {
      assertThat(set(juliet, content)).isEqualTo(IqReply.empty());
      Expect.result(get(juliet), vcard(content));
      assertThat(context.stores().pubSub().count(JULIET)).isZero();
    }
  }

  @Test
  void aPhotoWithoutTypeIsKnownByItsFirstBytes() {
    context.install(avatars);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    for (String[] each :
        new String[][] {
          {"image/png", "iVBORw0KGgo="},
          {"image/gif", "R0lGODlhAQABAA=="},
          {"image/jpeg", "/9j/4AAQSkZJRg=="},
          {"image/webp", "UklGRgAAAABXRUJQ"}
        }) {
      set(juliet, "<PHOTO><BINVAL>" + each[1] + "</BINVAL></PHOTO>");
      Expect.result(get(juliet), vcard(photo(each[0], each[1])));
    }
  }

  @Test
  void aPhotoForWhichThereIsNoRoomIsRejected() {
    context.install(avatars);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    set(juliet, photo("image/png", PNG));
    int most = context.config().limits().pubsub().itemBytes() - 100;
    fill(juliet, "x".repeat(most));
    fill(juliet, "x".repeat(2_000));
    String picture =
        Base64.getEncoder()
            .encodeToString(new byte[context.config().limits().vcardBytes() * 3 / 4 - 1_000]);
    assertThat(set(juliet, "<FN>J</FN>" + photo("image/png", picture)).toString())
        .contains("RESOURCE_CONSTRAINT");
    Expect.result(get(juliet), vcard(photo("image/png", PNG)));
  }

  /// Publishes until the account may store no more.
  private void fill(TestSession session, String text) {
    for (int i = 0; i < 240; i++) {
      IqReply reply =
          context.ask(
              session,
              TestXml.iq(
                  "<iq type='set' id='p'><pubsub xmlns='"
                      + PUBSUB
                      + "'><publish node='n"
                      + text.length() % 7
                      + "'><item id='"
                      + i
                      + "'><x xmlns='urn:x'>"
                      + text
                      + "</x></item></publish><publish-options><x xmlns='jabber:x:data'"
                      + " type='submit'><field var='FORM_TYPE'><value>"
                      + PUBSUB
                      + "#publish-options</value></field><field var='pubsub#max_items'>"
                      + "<value>max</value></field></x></publish-options></pubsub></iq>"));
      if (reply.toString().contains("RESOURCE_CONSTRAINT")) {
        return;
      }
    }
    throw new AssertionError("there is always room");
  }

  /// XEP-0398, section 5: a client that says that it has no picture is not made to have one.
  @Test
  void aClientThatDeclinesKeepsDecliningWhenThePictureChanges() {
    context.install(avatars);
    TestSession declines = context.bind("juliet@example.org/declines");
    TestSession other = context.bind("juliet@example.org/other");
    sends(declines, "<x xmlns='vcard-temp:x:update'><photo/></x>");
    sends(other, "");
    set(other, photo("image/png", PNG));
    assertThat(String.valueOf(declines.presence())).contains("<photo/>").doesNotContain(hash(PNG));
    assertThat(String.valueOf(other.presence())).contains(hash(PNG));
    assertThat(sends(declines, "").toString()).contains(hash(PNG));
    set(other, "<FN>J</FN>");
    assertThat(String.valueOf(declines.presence())).contains("<photo/>");
    set(other, photo("image/png", PNG));
    // It had not declined itself.
    assertThat(String.valueOf(declines.presence())).contains(hash(PNG));
  }

  @Test
  void presenceOfAnAccountWithoutPictureIsNotTouched() {
    context.install(avatars);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    for (String content :
        new String[] {
          "",
          "<x xmlns='vcard-temp:x:update'/>",
          "<x xmlns='vcard-temp:x:update'><photo>" + HASH + "</photo></x>"
        }) {
      String expected = TestXml.element("<presence>" + content + "</presence>").toString();
      assertThat(sends(juliet, content).withAddresses(null, null).toElement().children())
          .isEqualTo(TestXml.element(expected).children());
    }
    assertThat(
            context.sends(
                juliet, TestXml.presence("<presence type='unavailable' to='romeo@example.net'/>")))
        .isEqualTo(Verdict.pass());
  }

  @Test
  void whenItIsStoppedPhotosStayInVcards() {
    context.install(avatars);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    avatars.stop();
    set(juliet, photo("image/png", PNG));
    assertThat(context.stores().pubSub().count(JULIET)).isZero();
    Expect.result(get(juliet), vcard(photo("image/png", PNG)));
  }
}
