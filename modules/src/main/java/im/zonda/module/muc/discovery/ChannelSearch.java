package im.zonda.module.muc.discovery;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.RoomName;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Searches public rooms by the words in their addresses, names and descriptions (XEP-0433).
///
/// The store searches addresses and names. Descriptions are searched room by room, and only on
/// request. One request examines a limited number of rooms; the next page continues from there.
@Xep(
    number = 433,
    version = "0.1.0",
    title = "Extended Channel Search",
    note = "Ordered by address only, without numbers of users")
public final class ChannelSearch {
  private static final Logger log = LoggerFactory.getLogger(ChannelSearch.class);
  private static final String BASE = "urn:xmpp:channel-search:0";
  private static final String NAMESPACE = BASE + ":search";
  private static final String PARAMETERS = BASE + ":search-params";
  private static final String ERROR = BASE + ":error";
  private static final String BY_ADDRESS = "{" + BASE + ":order}address";
  private static final QName SEARCH = new QName(NAMESPACE, "search");
  private static final QName RESULT = new QName(NAMESPACE, "result");
  private static final String ROOMS = "xep-0045";
  private static final int PAGE = 100;
  private static final int MAX_LOOKED_AT = 1_000;

  private final RoomStore store;
  private final Jid domain;
  private final Function<RoomStore.Room, RoomConfig> configs;

  /// The search terms.
  ///
  /// @param words all of which a room must contain; empty to return all rooms
  private record Query(List<String> words, boolean name, boolean address, boolean description) {
    /// Returns the text that the store can search for, or null.
    @Nullable String text() {
      return description || words.isEmpty()
          ? null
          : words.stream().max(Comparator.comparingInt(String::length)).orElseThrow();
    }

    boolean finds(RoomStore.Room room, RoomConfig config) {
      StringBuilder all = new StringBuilder();
      if (name) {
        all.append(room.name()).append('\n');
      }
      if (address) {
        all.append(room.jid()).append('\n');
      }
      if (description) {
        all.append(config.description());
      }
      String text = all.toString().toLowerCase(Locale.ROOT);
      return words.stream().allMatch(text::contains);
    }
  }

  /// @param configs reads the configuration of a stored room
  public ChannelSearch(RoomStore store, Jid domain, Function<RoomStore.Room, RoomConfig> configs) {
    this.store = store;
    this.domain = domain;
    this.configs = configs;
  }

  public void install(RequestTable table) {
    table
        .onServiceIq(Iq.Type.GET, SEARCH, (iq, search) -> search(search))
        .serviceFeature(NAMESPACE);
  }

  private IqReply search(Element search) {
    if (search.children().isEmpty()) {
      return IqReply.result(Element.builder(SEARCH).child(form().toElement()).build());
    }
    DataForm form = DataForm.of(search.child(DataForm.X));
    String kind = form == null ? null : form.kind();
    if (form == null || !form.type().equals("submit") || !PARAMETERS.equals(kind)) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "a submitted form of type search-params is required");
    }
    String q = value(form, "q");
    boolean all = bool(form, "all", false);
    String key = value(form, "key");
    if (key != null && !key.equals(BY_ADDRESS)) {
      return refuse(
          ErrorCondition.FEATURE_NOT_IMPLEMENTED, ErrorType.MODIFY, "invalid-sort-key", null);
    }
    if (all && q != null) {
      return conflict();
    }
    if (!all && q == null) {
      return refuse(ErrorCondition.BAD_REQUEST, ErrorType.CANCEL, "no-search-conditions", null);
    }
    List<String> words = words(q);
    if (!all && words.isEmpty()) {
      return refuse(
          ErrorCondition.BAD_REQUEST,
          ErrorType.MODIFY,
          "invalid-search-terms",
          "enter at least one word to search for");
    }
    Query query =
        new Query(
            words,
            bool(form, "sinname", true),
            bool(form, "sinaddress", true),
            bool(form, "sindescription", false));
    try {
      ResultSetRequest page =
          ResultSetRequest.of(search.child(ResultSetRequest.SET), PAGE).forwards();
      return wantsRooms(form) ? find(query, page) : IqReply.result(Element.of(RESULT));
    } catch (ResultSetException e) {
      return e.reply();
    }
  }

  private IqReply find(Query query, ResultSetRequest page) {
    List<Element> items = new ArrayList<>();
    String first = null;
    String last = page.after();
    int looked = 0;
    boolean more = true;
    while (more && items.size() < page.max() && looked < MAX_LOOKED_AT) {
      List<RoomStore.Room> rooms = store.listed(domain.domain(), last, query.text(), PAGE);
      more = rooms.size() == PAGE;
      for (RoomStore.Room room : rooms) {
        if (items.size() == page.max()) {
          break;
        }
        looked++;
        last = room.jid().local();
        RoomConfig config = readable(room);
        if (config != null && query.finds(room, config)) {
          items.add(item(room, config));
          first = first == null ? last : first;
        }
      }
    }
    boolean goesOn = more && looked > 0;
    Element set =
        first == null && !goesOn
            ? ResultSetRequest.result(null, null)
            : ResultSetRequest.result(first == null ? last : first, last);
    return IqReply.result(Element.builder(RESULT).children(items).child(set).build());
  }

  /// Returns null for a damaged room, so that it does not hide the others.
  private @Nullable RoomConfig readable(RoomStore.Room room) {
    try {
      return configs.apply(room);
    } catch (StoreException e) {
      log.atWarn().addKeyValue("room", room.jid()).setCause(e).log("room_not_searched");
      return null;
    }
  }

  private static Element item(RoomStore.Room room, RoomConfig config) {
    Element.Builder item =
        Element.builder(NAMESPACE, "item")
            .attribute("address", room.jid().toString())
            .child("name", RoomName.of(room.jid(), room.name()));
    if (!config.description().isEmpty()) {
      item.child("description", config.description());
    }
    if (!config.lang().isEmpty()) {
      item.child("language", config.lang());
    }
    item.child("service-type", ROOMS);
    if (config.password() == null && !config.membersOnly()) {
      item.child("is-open", "true");
    }
    return item.child(
            "anonymity-mode",
            config.nonAnonymous() ? "{" + BASE + ":anonymity}none" : "muc_semianonymous")
        .build();
  }

  // ---- the form

  private static DataForm form() {
    return DataForm.builder("form", PARAMETERS)
        .text("q", "Search for", null)
        .bool("all", "Return all rooms (ignore search terms)", false)
        .bool("sinname", "Search in name", true)
        .bool("sindescription", "Search in description", false)
        .bool("sinaddress", "Search in address", true)
        .listMulti("types", "Service types", List.of(ROOMS), Map.of(ROOMS, "Multi-User Chat"))
        .listSingle("key", "Sort results by", BY_ADDRESS, Map.of(BY_ADDRESS, "Address"))
        .build();
  }

  private static boolean wantsRooms(DataForm form) {
    DataForm.Field types = form.field("types");
    return types == null || types.values().isEmpty() || types.values().contains(ROOMS);
  }

  private static @Nullable String value(DataForm form, String name) {
    DataForm.Field field = form.field(name);
    String value = field == null ? null : field.value();
    return value == null || value.isEmpty() ? null : value;
  }

  private static boolean bool(DataForm form, String name, boolean otherwise) {
    DataForm.Field field = form.field(name);
    Boolean value = field == null ? null : field.bool();
    return value == null ? otherwise : value;
  }

  private static List<String> words(@Nullable String q) {
    return q == null
        ? List.of()
        : Arrays.stream(q.toLowerCase(Locale.ROOT).split("[\\s\\p{Z}]+"))
            .filter(word -> !word.isEmpty())
            .limit(10)
            .toList();
  }

  private static IqReply conflict() {
    Element fields =
        Element.builder(ERROR, "conflicting-fields").child("var", "all").child("var", "q").build();
    return new IqReply.Refuse(
        new StanzaError(
            ErrorCondition.BAD_REQUEST,
            ErrorType.MODIFY,
            "request all rooms, or enter words to search for, not both",
            fields));
  }

  private static IqReply refuse(
      ErrorCondition condition, ErrorType type, String detail, @Nullable String text) {
    return new IqReply.Refuse(new StanzaError(condition, type, text, Element.of(ERROR, detail)));
  }
}
