package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.Room.AffiliationChange;
import im.zonda.module.muc.Room.Subject;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlReader;
import im.zonda.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Makes rooms, stores them and loads them again. Everything here but [#make] blocks.
final class RoomKeeper {
  private static final String NAMESPACE = "urn:zonda:room:0";
  private static final long HISTORY_BYTES = 1_048_576;
  private static final int HISTORY_PAGES = 10;

  private final ModuleContext context;
  private final Rooms settings;
  private final RoomStore store;
  private final RoomHats hats;
  private final Predicate<Jid> isAdmin;

  /// @param isAdmin who owns every room
  RoomKeeper(ModuleContext context, Rooms settings, Predicate<Jid> isAdmin) {
    this.context = context;
    this.settings = settings;
    this.store = context.stores().rooms();
    this.hats = new RoomHats(context);
    this.isAdmin = isAdmin;
  }

  /// A room that was not there, locked, with its first owner; not stored yet.
  LiveRoom make(Jid jid, Jid owner) {
    Affiliations affiliations = new Affiliations();
    affiliations.set(owner, Affiliation.OWNER, null, null);
    RoomConfig config = RoomConfig.of(settings);
    Room room = new Room(jid, context.clock().instant(), config, affiliations, isAdmin, true);
    return new LiveRoom(
        room,
        new RoomHistory(jid, config.history()),
        new OccupantIds(context.ids().next() + context.ids().next()),
        false);
  }

  /// The room with that address and its last messages, or null.
  @Nullable LiveRoom load(Jid jid) {
    RoomStore.Stored stored = store.find(jid);
    if (stored == null) {
      return null;
    }
    Affiliations affiliations = new Affiliations();
    for (RoomStore.Affiliation entry : stored.affiliations()) {
      Affiliation affiliation = Affiliation.of(entry.affiliation());
      if (affiliation != null) {
        affiliations.set(entry.user(), affiliation, entry.nick(), entry.reason());
      }
    }
    try {
      return restored(stored.room(), affiliations);
    } catch (XmlException | StanzaFormatException | RoomConfigForm.BadFormException e) {
      throw damaged(e);
    }
  }

  /// The configuration of a stored room.
  RoomConfig configOf(RoomStore.Room stored) {
    try {
      return config(XmlReader.read(stored.settings().getBytes(StandardCharsets.UTF_8)));
    } catch (XmlException | RoomConfigForm.BadFormException e) {
      throw damaged(e);
    }
  }

  private static StoreException damaged(Exception cause) {
    return new StoreException(
        StoreException.Category.DAMAGED, "the settings of a room cannot be read", cause);
  }

  private RoomConfig config(Element all) throws RoomConfigForm.BadFormException {
    DataForm form = DataForm.of(all.child(DataForm.X));
    if (form == null) {
      throw new RoomConfigForm.BadFormException("there is no form");
    }
    return RoomConfigForm.read(form, RoomConfig.of(settings), settings.occupants());
  }

  private LiveRoom restored(RoomStore.Room stored, Affiliations affiliations)
      throws XmlException, StanzaFormatException, RoomConfigForm.BadFormException {
    Element all = XmlReader.read(stored.settings().getBytes(StandardCharsets.UTF_8));
    String salt = all.attribute("salt");
    if (salt == null) {
      throw new RoomConfigForm.BadFormException("there is no salt");
    }
    RoomConfig config = config(all);
    Room room = new Room(stored.jid(), stored.created(), config, affiliations, isAdmin, false);
    room.subject(subject(all.child("subject")));
    room.hats(hats.read(stored.jid()));
    RoomHistory history = past(stored.jid(), config.history());
    return new LiveRoom(room, history, new OccupantIds(salt), true);
  }

  /// The last messages that say something. Others are among them in the archive, such as subjects:
  /// so many of those are passed over, and no more.
  private RoomHistory past(Jid room, int most) {
    Deque<MessageLog.Entry> found = new ArrayDeque<>();
    long before = Long.MAX_VALUE;
    boolean complete = most == 0;
    for (int i = 0; i < HISTORY_PAGES && found.size() < most && !complete; i++) {
      MessageArchive.Page page =
          context
              .stores()
              .archive()
              .page(
                  room,
                  new MessageArchive.Filter(null, Long.MIN_VALUE, before, null, null),
                  new MessageArchive.Portion(true, most, HISTORY_BYTES));
      for (MessageLog.Entry entry : page.entries().reversed()) {
        before = entry.id() - 1;
        if (entry.message().hasBody() || entry.message().has(MucNames.RETRACTED)) {
          found.addFirst(entry);
        }
      }
      complete = page.complete();
    }
    RoomHistory history = new RoomHistory(room, most);
    found.forEach(entry -> history.add(entry.id(), RoomArchive.withoutAuthor(entry.message())));
    return history;
  }

  private static @Nullable Subject subject(@Nullable Element subject) throws StanzaFormatException {
    String time = subject == null ? null : subject.attribute("time");
    if (subject == null || time == null || subject.children().isEmpty()) {
      return null;
    }
    return Stanza.of(subject.children().getFirst()) instanceof Message message
        ? new Subject(message, Instant.parse(time))
        : null;
  }

  /// Whether that user may own `room` besides those that it owns. Those who own all rooms may.
  boolean mayOwnAnother(Jid room, Jid user) {
    return isAdmin.test(user) || store.owned(room.domain(), user) < settings.roomsPerAccount();
  }

  /// Stores a room that was not stored yet, with changes that are about to be made.
  LiveRoom saveFirst(LiveRoom live, RoomConfig config, List<AffiliationChange> changes) {
    List<RoomStore.Affiliation> all = new ArrayList<>();
    live.room()
        .affiliations()
        .all()
        .forEach((user, entry) ->
            all.add(
                new RoomStore.Affiliation(
                    user, entry.affiliation().value(), entry.nick(), entry.reason())));
    all.addAll(stored(changes));
    store.save(stored(live, config, live.room().subject()), all);
    return live.asStored();
  }

  /// Stores a change before it is made; does nothing for a room that is not stored yet.
  void save(
      LiveRoom live,
      RoomConfig config,
      @Nullable Subject subject,
      List<AffiliationChange> changes) {
    if (live.stored()) {
      store.save(stored(live, config, subject), stored(changes));
    }
  }

  private static List<RoomStore.Affiliation> stored(List<AffiliationChange> changes) {
    return changes.stream()
        .map(change ->
            new RoomStore.Affiliation(
                change.user(), change.affiliation().value(), change.nick(), change.reason()))
        .toList();
  }

  /// Removes what the store has of a room.
  void remove(Jid room) {
    store.remove(room);
  }

  private RoomStore.Room stored(LiveRoom live, RoomConfig config, @Nullable Subject subject) {
    Element.Builder all =
        Element.builder(NAMESPACE, "room")
            .attribute("salt", live.ids().salt())
            .child(
                RoomConfigForm.write(config, "submit", settings.occupants()).build().toElement());
    if (subject != null) {
      all.child(
          Element.builder(NAMESPACE, "subject")
              .attribute("time", subject.time().toString())
              .child(subject.message().toElement())
              .build());
    }
    ByteArraySink sink = new ByteArraySink(2_048);
    XmlWriter.write(all.build(), "", sink);
    Room room = live.room();
    return new RoomStore.Room(
        room.jid(),
        room.created(),
        config.persistent(),
        config.listed(),
        config.name(),
        new String(sink.toByteArray(), StandardCharsets.UTF_8));
  }
}
