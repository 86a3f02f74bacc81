package im.zonda.module.muc.archive;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomConfigForm;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.SingleRoom;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.muc.stanza.RoomRequestHandler;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A room without a server, owned by `owner@example.org`, for tests of its archive and of
/// retractions.
final class RoomStage {
  private static final Jid OWNER = Jid.of("owner@example.org");
  static final Jid JID = Jid.of("coven@rooms.example.org");

  final TestContext context;
  final LiveRoom live;
  final RoomHome home;
  final RequestTable requests = new RequestTable();
  final Retraction retraction;
  final RoomArchive archive;

  RoomStage(TestContext context) {
    this(context, false);
  }

  /// @param locked whether the room is not configured yet
  RoomStage(TestContext context, boolean locked) {
    this.context = context;
    Affiliations affiliations = new Affiliations();
    affiliations.set(OWNER, Affiliation.OWNER, null, null);
    RoomConfig config = RoomConfig.of(Rooms.DEFAULTS);
    Room room = new Room(JID, Instant.EPOCH, config, affiliations, admin -> false, locked);
    home = TestRoom.home(context, room, OWNER, locked);
    live = Objects.requireNonNull(home.live());
    retraction = new Retraction(context, () -> new SingleRoom(home));
    archive = new RoomArchive(context, retraction);
    new ArchiveRequests(context).install(requests);
    RoomBroadcast broadcast = new RoomBroadcast(context, () -> 0);
    new ModerationRequests(context, () -> Rooms.DEFAULTS, broadcast, archive, retraction)
        .install(requests);
  }

  /// Changes fields of the configuration, named without their common prefix.
  void configure(Map<String, String> fields) {
    StringBuilder form = new StringBuilder("<x xmlns='jabber:x:data' type='submit'>");
    fields.forEach((name, value) ->
        form.append("<field var='muc#roomconfig_")
            .append(name)
            .append("'><value>")
            .append(value)
            .append("</value></field>"));
    DataForm read = DataForm.of(TestXml.element(form.append("</x>").toString()));
    try {
      live.room()
          .configure(RoomConfigForm.read(Objects.requireNonNull(read), live.room().config(), 9));
    } catch (RoomConfigForm.BadFormException e) {
      throw new IllegalArgumentException(e);
    }
  }

  void affiliate(String user, Affiliation affiliation) {
    live.room()
        .applyAffiliations(
            List.of(new Room.AffiliationChange(Jid.of(user), affiliation, null, null)));
  }

  Occupant enter(String session, String nick) {
    Jid jid = Jid.of(session);
    return live.room().enter(jid, Jid.of(JID + "/" + nick), live.ids().of(jid.bare()));
  }

  /// Sends a message of an occupant; returns its id, or 0 if it was rejected.
  long say(Occupant occupant, String message) {
    Message said =
        TestXml.message(message).withAddresses(occupant.sessions().getFirst().jid(), JID);
    RoomArchive.BroadcastMessage kept =
        archive.store(home, live, occupant, said, Envelope.of(said));
    if (kept == null) {
      return 0;
    }
    live.history().add(occupant.user(), kept.id(), kept.message());
    context.runTasks();
    return kept.id();
  }

  /// Sends a request to the room; the reply may be among the sent stanzas.
  IqReply ask(String from, String iq) {
    Iq request = TestXml.iq(iq).withAddresses(Jid.of(from), JID);
    RoomRequestHandler answerer =
        requests.findRoomHandler(request.type(), Objects.requireNonNull(request.payloadName()));
    IqReply reply =
        Objects.requireNonNull(answerer)
            .answer(home, live, request, Objects.requireNonNull(request.payload()));
    context.runTasks();
    return reply;
  }

  /// Finds an archived message, or null.
  @Nullable Message archived(long id) {
    return retraction.find(live, id).archived();
  }

  /// Finds a message in the history, or null.
  @Nullable Message remembered(long id) {
    return live.history().find(id);
  }
}
