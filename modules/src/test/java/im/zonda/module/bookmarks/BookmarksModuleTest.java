package im.zonda.module.bookmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.store.StoreException;
import org.junit.jupiter.api.Test;

class BookmarksModuleTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String ITEMS = "urn:xmpp:bookmarks:1";
  private static final String LIST = "storage:bookmarks";
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final RosterModule roster = new RosterModule();
  private final DiscoModule disco = new DiscoModule();
  private final PubSubModule pubsub = new PubSubModule(roster, disco, new MamModule(roster));
  private final PrivateXmlModule privateXml = new PrivateXmlModule();
  private final BookmarksModule bookmarks = new BookmarksModule(pubsub, privateXml);
  private final TestContext context =
      new TestContext().install(roster, new PresenceModule(roster), disco, pubsub, privateXml);

  private static String storage(String content) {
    return "<storage xmlns='storage:bookmarks'>" + content + "</storage>";
  }

  private IqReply ask(TestSession session, String type, String payload) {
    return context.ask(session, TestXml.iq("<iq type='" + type + "' id='x'>" + payload + "</iq>"));
  }

  private IqReply set(TestSession session, String list) {
    return ask(session, "set", "<query xmlns='jabber:iq:private'>" + list + "</query>");
  }

  private IqReply publish(TestSession session, String node, String id, String payload) {
    return ask(
        session,
        "set",
        "<pubsub xmlns='"
            + PUBSUB
            + "'><publish node='"
            + node
            + "'><item id='"
            + id
            + "'>"
            + payload
            + "</item></publish></pubsub>");
  }

  private IqReply owner(TestSession session, String request) {
    return ask(session, "set", "<pubsub xmlns='" + PUBSUB + "#owner'>" + request + "</pubsub>");
  }

  private static String item(String attributes) {
    return "<conference xmlns='" + ITEMS + "' " + attributes + "/>";
  }

  private void expectPrivate(TestSession session, String list) {
    Expect.result(
        ask(session, "get", "<query xmlns='jabber:iq:private'>" + storage("") + "</query>"),
        "<query xmlns='jabber:iq:private'>" + list + "</query>");
  }

  private void expectItems(TestSession session, String node, String items) {
    Expect.result(
        ask(session, "get", "<pubsub xmlns='" + PUBSUB + "'><items node='" + node + "'/></pubsub>"),
        "<pubsub xmlns='" + PUBSUB + "'><items node='" + node + "'>" + items + "</items></pubsub>");
  }

  /// Bookmarks of before the module was there, in all three places, one of them in two. The node of
  /// the items was made for one item.
  @Test
  void whatWasThereBeforeIsInAllPlacesAfterwards() {
    TestSession before = context.bind("juliet@example.org/before");
    set(before, storage("<url url='u'/><conference jid='p@r' name='p'/>"));
    publish(
        before,
        LIST,
        "mine",
        storage("<conference jid='l@r' name='l'/><conference jid='i@r' name='old'/>"));
    publish(before, ITEMS, "i@r", item("name='i'"));
    context.end(before);
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    String list =
        storage(
            "<conference jid='l@r' name='l'/><conference jid='i@r' name='i'/><url url='u'/>"
                + "<conference jid='p@r' name='p'/>");
    expectPrivate(juliet, list);
    expectItems(juliet, LIST, "<item id='mine'>" + list + "</item>");
    expectItems(
        juliet,
        ITEMS,
        "<item id='i@r'>"
            + item("name='i'")
            + "</item><item id='l@r'>"
            + item("name='l'")
            + "</item><item id='p@r'>"
            + item("name='p'")
            + "</item>");
  }

  @Test
  void anAccountWithoutBookmarksGetsNoNodes() {
    context.install(bookmarks);
    context.bind("juliet@example.org/balcony");
    assertThat(context.stores().pubSub().count(JULIET)).isZero();
  }

  @Test
  void aListWithMoreRoomsThanItemsIsRejectedAndChangesNothing() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    String one = storage("<conference jid='a@r'/>");
    set(juliet, one);
    StringBuilder rooms = new StringBuilder();
    for (int i = 0; i <= context.config().limits().pubsub().items(); i++) {
      rooms.append("<conference jid='r").append(i).append("@r'/>");
    }
    assertThat(set(juliet, storage(rooms.toString())).toString()).contains("RESOURCE_CONSTRAINT");
    assertThat(publish(juliet, LIST, "current", storage(rooms.toString())).toString())
        .contains("RESOURCE_CONSTRAINT");
    expectPrivate(juliet, one);
    expectItems(juliet, LIST, "<item id='current'>" + one + "</item>");
    expectItems(juliet, ITEMS, "<item id='a@r'><conference xmlns='" + ITEMS + "'/></item>");
  }

  /// A node that the owner shares with someone is not filled with what was private.
  @Test
  void nothingIsConvertedIntoANodeWithOtherMembers() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    publish(juliet, LIST, "current", storage(""));
    owner(
        juliet,
        "<affiliations node='"
            + LIST
            + "'><affiliation jid='romeo@example.org' affiliation='member'/></affiliations>");
    publish(juliet, ITEMS, "a@r", item(""));
    expectItems(juliet, LIST, "<item id='current'>" + storage("") + "</item>");
    expectPrivate(juliet, storage("<conference jid='a@r'/>"));
  }

  /// Such a node has no items whatever is published: this does not mean that there are none.
  @Test
  void aNodeThatKeepsNoItemsRemovesNothing() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    String list = storage("<conference jid='a@r'/>");
    set(juliet, list);
    owner(
        juliet,
        "<configure node='"
            + ITEMS
            + "'><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
            + PUBSUB
            + "#node_config</value></field><field var='pubsub#persist_items'><value>0</value>"
            + "</field></x></configure>");
    publish(juliet, ITEMS, "b@r", item(""));
    expectPrivate(juliet, list);
  }

  @Test
  void removingTheNodeOfTheItemsRemovesTheBookmarks() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    set(juliet, storage("<url url='u'/><conference jid='a@r'/>"));
    owner(juliet, "<delete node='" + ITEMS + "'/>");
    expectPrivate(juliet, storage("<url url='u'/>"));
  }

  @Test
  void aFailureOfTheStoreIsNotAnswered() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    context.stores().fail(StoreException.Category.FULL);
    assertThatThrownBy(() -> set(juliet, storage("<conference jid='a@r'/>")))
        .isInstanceOf(StoreException.class);
  }

  /// Switched off, it leaves the places alone.
  @Test
  void whenItIsStoppedNothingIsConverted() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    bookmarks.stop();
    set(juliet, storage("<conference jid='a@r'/>"));
    assertThat(context.stores().pubSub().count(JULIET)).isZero();
  }

  private static final Jid TEA = Jid.of("tea@rooms.example.org");

  @Test
  void theServerAddsABookmarkToAllPlacesAndRemovesIt() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    assertThat(bookmarks.add(context.home(JULIET), TEA, "Tea", "juliet")).isTrue();
    String added = "name='Tea' autojoin='true'><nick>juliet</nick></conference>";
    expectItems(
        juliet,
        ITEMS,
        "<item id='" + TEA + "'><conference xmlns='" + ITEMS + "' " + added + "</item>");
    expectPrivate(juliet, storage("<conference jid='" + TEA + "' " + added));
    bookmarks.remove(context.home(JULIET), TEA);
    expectItems(juliet, ITEMS, "");
    expectPrivate(juliet, storage(""));
    bookmarks.remove(context.home(JULIET), TEA);
  }

  @Test
  void aBookmarkThatTheUserHasStaysAsItIs() {
    context.install(bookmarks);
    TestSession juliet = context.bind("juliet@example.org/balcony");
    publish(juliet, ITEMS, TEA.toString(), item("name='Mine'"));
    assertThat(bookmarks.add(context.home(JULIET), TEA, "Tea", "juliet")).isTrue();
    expectItems(juliet, ITEMS, "<item id='" + TEA + "'>" + item("name='Mine'") + "</item>");
  }

  @Test
  void withoutTheModuleTheServerAddsNoBookmark() {
    context.bind("juliet@example.org/balcony");
    assertThat(bookmarks.add(context.home(JULIET), TEA, "Tea", "juliet")).isFalse();
    bookmarks.remove(context.home(JULIET), TEA);
  }
}
