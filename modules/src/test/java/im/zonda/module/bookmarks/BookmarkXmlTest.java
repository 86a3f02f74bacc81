package im.zonda.module.bookmarks;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestXml;
import im.zonda.xml.Element;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BookmarkXmlTest {
  private static Element list(String content) {
    return TestXml.element("<storage xmlns='storage:bookmarks'>" + content + "</storage>");
  }

  private static Element item(String attributes, String content) {
    return TestXml.element(
        "<conference xmlns='urn:xmpp:bookmarks:1' " + attributes + ">" + content + "</conference>");
  }

  private static Element room(Element list, String jid) {
    return Objects.requireNonNull(BookmarkXml.rooms(list).get(jid));
  }

  @Test
  void aRoomBecomesAnItem() {
    Element list =
        list(
            "<conference jid='a@r' name='A &amp; B' autojoin='1'><nick>me</nick>"
                + "<password>secret</password></conference>");
    assertThat(BookmarkXml.toItem(room(list, "a@r"), null))
        .isEqualTo(
            item("name='A &amp; B' autojoin='true'", "<nick>me</nick><password>secret</password>"));
  }

  @Test
  void anItemKeepsWhatOnlyItCanSay() {
    String extensions = "<extensions><x xmlns='urn:x' y='1'>z</x></extensions>";
    Element before = item("name='old' other='kept'", "<nick>old</nick>" + extensions);
    Element list = list("<conference jid='a@r' name='new'/>");
    assertThat(BookmarkXml.toItem(room(list, "a@r"), before))
        .isEqualTo(item("name='new' other='kept'", extensions));
  }

  @Test
  void aListKeepsWhatOnlyItCanSay() {
    String url = "<url name='w' url='http://w/'/>";
    String broken = "<conference name='no address'/><conference jid='@' name='none'/>";
    Element before =
        list(
            url
                + "<conference jid='A@R' name='old' print='1'><nick>n</nick>"
                + "<minimize xmlns='xmpp:gajim.org/metadata'>true</minimize></conference>"
                + "<conference jid='gone@r'/>"
                + broken);
    Map<String, Element> items = new LinkedHashMap<>();
    items.put("a@r", item("name='new' autojoin='true'", ""));
    items.put("b@r", item("", "<nick>me</nick>"));
    items.put("none", TestXml.element("<other xmlns='urn:x'/>"));
    assertThat(BookmarkXml.toList(before, items))
        .isEqualTo(
            list(
                url
                    + "<conference jid='A@R' print='1' name='new' autojoin='true'>"
                    + "<minimize xmlns='xmpp:gajim.org/metadata'>true</minimize></conference>"
                    + broken
                    + "<conference jid='b@r'><nick>me</nick></conference>"));
  }

  /// What is converted and comes back says the same, so that nothing is written again.
  @Test
  void whatComesBackIsTheSame() {
    Map<String, Element> items = new LinkedHashMap<>();
    items.put("a@r", item("name='x' autojoin='1'", "<nick>n</nick><password>p</password>"));
    items.put("b@r", item("autojoin='false'", "<extensions/>"));
    items.put("c@r", item("", "<nick/>"));
    Element list = BookmarkXml.toList(null, items);
    BookmarkXml.rooms(list)
        .forEach((id, room) ->
            assertThat(BookmarkXml.isSame(room, Objects.requireNonNull(items.get(id))))
                .as(id)
                .isTrue());
    assertThat(BookmarkXml.rooms(list)).containsOnlyKeys("a@r", "b@r", "c@r");
    assertThat(BookmarkXml.toList(list, items)).isEqualTo(list);
  }

  @Test
  void aUnionHasAllOfBoth() {
    Element one = list("<url url='u'/><conference jid='a@r' name='one'/>");
    Element other =
        list(
            "<url url='u'/><url url='v'/><conference jid='A@r' name='other'/><conference jid='b@r'/>");
    assertThat(BookmarkXml.union(one, other))
        .isEqualTo(
            list(
                "<url url='u'/><conference jid='a@r' name='one'/><url url='v'/>"
                    + "<conference jid='b@r'/>"));
  }
}
