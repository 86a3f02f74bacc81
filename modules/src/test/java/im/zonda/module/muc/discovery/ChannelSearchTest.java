package im.zonda.module.muc.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.ServiceRequestHandler;
import im.zonda.module.testing.TestStores;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ChannelSearchTest {
  private static final String NAMESPACE = "urn:xmpp:channel-search:0:search";

  private final RoomStore store = new TestStores().rooms();
  private final RequestTable table = new RequestTable();
  private int read;

  ChannelSearchTest() {
    new ChannelSearch(
            store,
            Jid.of("rooms.example.org"),
            room -> {
              read++;
              if (room.name().equals("damaged")) {
                throw new StoreException(StoreException.Category.DAMAGED, "it is", null);
              }
              return RoomConfig.of(Rooms.DEFAULTS);
            })
        .install(table);
  }

  private void room(String local, String name) {
    Jid jid = Jid.of(local, "rooms.example.org", null);
    store.save(
        new RoomStore.Room(jid, null, Instant.EPOCH, true, true, name, "settings"), List.of());
  }

  private IqReply search(String set, String... fields) {
    StringBuilder form = new StringBuilder("<x xmlns='jabber:x:data' type='submit'>");
    form.append(field("FORM_TYPE", "urn:xmpp:channel-search:0:search-params"));
    for (int i = 0; i < fields.length; i += 2) {
      form.append(field(fields[i], fields[i + 1]));
    }
    Element search =
        TestXml.element("<search xmlns='" + NAMESPACE + "'>" + set + form + "</x></search>");
    ServiceRequestHandler request =
        Objects.requireNonNull(table.findServiceHandler(Iq.Type.GET, search.name()));
    return request.answer(Iq.of(Iq.Type.GET, null, null, "s", search), search);
  }

  private static String field(String name, String value) {
    return "<field var='" + name + "'><value>" + value + "</value></field>";
  }

  private static List<String> addresses(IqReply reply) {
    List<String> found = new ArrayList<>();
    for (Element child : payload(reply).children()) {
      String address = child.attribute("address");
      if (address != null) {
        found.add(address);
      }
    }
    return found;
  }

  private static Element payload(IqReply reply) {
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  @Test
  void allWordsMustBeFound() {
    room("cave", "A Dark Cave");
    room("heath", "A Lonely Heath");
    room("darkness", "");
    assertThat(addresses(search("", "q", "DARK")))
        .containsExactly("cave@rooms.example.org", "darkness@rooms.example.org");
    assertThat(addresses(search("", "q", "dark cave"))).containsExactly("cave@rooms.example.org");
    assertThat(addresses(search("", "q", "dark", "sinaddress", "0")))
        .containsExactly("cave@rooms.example.org");
    assertThat(addresses(search("", "q", "lonely", "sinname", "0"))).isEmpty();
    assertThat(addresses(search("", "q", "dark", "types", "xep-0369"))).isEmpty();
  }

  @Test
  void aDamagedRoomDoesNotHideOthers() {
    room("cave", "damaged");
    room("heath", "");
    assertThat(addresses(search("", "all", "1"))).containsExactly("heath@rooms.example.org");
  }

  /// Reliability row 77.
  @Test
  void row77_whatIsSearchedForIsData() {
    room("cave", "100% dark_");
    assertThat(addresses(search("", "q", "'"))).isEmpty();
    assertThat(addresses(search("", "q", "%"))).hasSize(1);
    assertThat(addresses(search("", "q", "_"))).hasSize(1);
  }

  @Test
  void theNextPageStartsWhereTheLastOneEnded() {
    for (int i = 0; i < 250; i++) {
      room("room" + (100 + i), "");
    }
    List<String> all = new ArrayList<>();
    String set = "<set xmlns='http://jabber.org/protocol/rsm'><max>60</max></set>";
    while (true) {
      IqReply reply = search(set, "all", "true");
      List<String> page = addresses(reply);
      if (page.isEmpty()) {
        break;
      }
      all.addAll(page);
      Element last =
          Objects.requireNonNull(
              Objects.requireNonNull(
                      payload(reply).child(new QName("http://jabber.org/protocol/rsm", "set")))
                  .child("last"));
      set =
          "<set xmlns='http://jabber.org/protocol/rsm'><max>60</max><after>"
              + last.text()
              + "</after></set>";
    }
    assertThat(all).hasSize(250).doesNotHaveDuplicates();
  }

  /// Reliability row 79.
  @Test
  void row79_oneRequestExaminesALimitedNumberOfRooms() {
    for (int i = 0; i < 2_500; i++) {
      room("room" + (10_000 + i), "");
    }
    IqReply reply = search("", "q", "nowhere", "sindescription", "1");
    assertThat(addresses(reply)).isEmpty();
    assertThat(read).isEqualTo(1_000);
    assertThat(payload(reply).toString()).contains("<last>room10999</last>");
  }

  @Test
  void everyMistakeHasItsOwnError() {
    assertThat(search("", "q", "x", "all", "1").toString()).contains("conflicting-fields");
    assertThat(search("").toString()).contains("no-search-conditions");
    assertThat(search("", "q", " ").toString()).contains("invalid-search-terms");
    assertThat(search("", "q", "x", "key", "{urn:xmpp:channel-search:0:order}nusers").toString())
        .contains("invalid-sort-key");
  }
}
