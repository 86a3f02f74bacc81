package im.zonda.module.circle;

import im.zonda.config.Administration;
import im.zonda.config.ServerConfig.Host;
import im.zonda.config.Services;
import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.bookmarks.BookmarksModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.muc.MucModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHome;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A host with circles, rooms, rosters and bookmarks, whose requests a test answers. The
/// administrator is `bard@example.org`.
final class CircleStage {
  static final Jid SERVICE = Jid.of("rooms.example.org");

  final TestContext context = new TestContext();
  final InvitationModule invitations;
  private final RosterModule roster = new RosterModule();
  private final PresenceModule presence = new PresenceModule(roster);
  private final BookmarksModule bookmarks;
  private final MucModule muc = new MucModule();
  final StoredCircles stored;
  private final Map<Jid, RoomAddress<?>> rooms = new HashMap<>();

  /// Addresses whose requests fail.
  final Set<Jid> failing = new HashSet<>();

  /// The receivers of the requests that were answered.
  final Set<Jid> asked = new TreeSet<>();

  /// The number of requests that were answered.
  int answered;

  private record RoomAddress<T>(DomainService<T> service, T place) {
    static <T> RoomAddress<T> of(DomainService<T> service, Jid address) {
      return new RoomAddress<>(service, service.load(address));
    }

    void accept(Stanza stanza) {
      service.accept(place, Envelope.of(stanza));
    }
  }

  CircleStage() {
    Services services =
        Services.DEFAULTS
            .with(Administration.DEFAULTS.withAdmins(List.of("bard@example.org")))
            .with(new Invitations(Inviters.EVERYONE, Inviters.ADMINS, Duration.ofDays(7), null));
    Host host = new Host(null, null, null, services, null, null, null, null);
    context.config(context.config().withHosts(Map.of("example.org", host)).at("example.org"));
    DiscoModule disco = new DiscoModule();
    AdminModule admin = new AdminModule(disco);
    PrivateXmlModule privateXml = new PrivateXmlModule();
    PubSubModule pubsub = new PubSubModule(roster, disco, new MamModule(roster));
    bookmarks = new BookmarksModule(pubsub, privateXml);
    invitations = new InvitationModule(admin, presence);
    CircleModule circles =
        new CircleModule(
            admin, invitations, new CircleModule.Parts(roster, presence, bookmarks, muc));
    context.install(
        roster, presence, disco, admin, privateXml, pubsub, invitations, muc, bookmarks, circles);
    stored =
        new StoredCircles(
            context.keyValues(CircleModule.STORE),
            context.domain(),
            account -> context.stores().accounts().find(account) != null,
            local -> members(local + "@rooms.example.org") != null,
            context.clock(),
            context.ids());
  }

  /// As when the process was killed and another one starts: what waits for an answer gets none.
  void restart() {
    components().requests.clear();
    new CircleWork(context, stored, new MemberRequests(context, roster, presence, bookmarks), muc)
        .start();
  }

  private TestComponents components() {
    return (TestComponents) context.port(ExternalComponents.class);
  }

  /// The number of requests that wait for an answer.
  int waiting() {
    return components().requests.size();
  }

  /// Time passes, and all requests are answered.
  void settle() {
    for (int i = 0; i < 6; i++) {
      tick();
      while (answerOne()) {
        // the next one
      }
    }
  }

  /// The time passes until it is looked for work.
  void tick() {
    context.clock().advance(CircleWork.PERIOD);
    context.runTasks();
  }

  /// Answers a request; false if there is none.
  boolean answerOne() {
    if (components().requests.isEmpty()) {
      return false;
    }
    TestComponents.Request request = components().requests.removeFirst();
    Iq iq = request.iq();
    Jid to = Objects.requireNonNull(iq.to());
    asked.add(to);
    answered++;
    request.answered().accept(failing.contains(to) ? failure(iq) : answer(iq, to));
    context.runTasks();
    return true;
  }

  private static Iq failure(Iq iq) {
    return Iq.error(iq, StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT));
  }

  private Iq answer(Iq iq, Jid to) {
    if (to.domain().equals(SERVICE.domain())) {
      context.takeSent();
      rooms
          .computeIfAbsent(to, missing -> RoomAddress.of(context.host().services().getFirst(), to))
          .accept(iq);
      List<Stanza> sent = context.takeSent();
      return (Iq)
          sent.stream()
              .filter(each -> Objects.equals(each.id(), iq.id()))
              .findFirst()
              .orElseThrow();
    }
    TestHome home = context.home(to);
    IqReply reply = context.host().answer(iq, Addressee.OTHER_ACCOUNT, home, null);
    return switch (reply) {
      case IqReply.Result(Element payload) -> Iq.result(iq, payload);
      case IqReply.Refuse(StanzaError error) -> Iq.error(iq, error);
      case IqReply.Later() -> throw new IllegalStateException("no answer to " + iq);
    };
  }

  /// The contacts of an account with their groups.
  Map<String, List<String>> contacts(String account) {
    Map<String, List<String>> all = new TreeMap<>();
    for (RosterItem item : roster.rosters().of(context.home(Jid.of(account))).items()) {
      all.put(item.jid() + " " + item.subscription(), item.groups());
    }
    return all;
  }

  /// The members of a room; null if there is none.
  @Nullable Set<String> members(String room) {
    RoomStore.Stored stored = context.stores().rooms().find(Jid.of(room));
    if (stored == null) {
      return null;
    }
    Set<String> members = new TreeSet<>();
    stored.affiliations().forEach(each -> members.add(each.user() + " " + each.affiliation()));
    return members;
  }

  /// The ids of the bookmarks of an account.
  Set<String> bookmarks(String account) {
    return new TreeSet<>(
        context.stores().pubSub().newest(Jid.of(account), "urn:xmpp:bookmarks:1", 100));
  }

  /// The names of the bookmarks of an account.
  List<String> bookmarkNames(String account) {
    return context
        .stores()
        .pubSub()
        .items(Jid.of(account), "urn:xmpp:bookmarks:1", bookmarks(account))
        .stream()
        .map(item -> new String(item.payload(), StandardCharsets.UTF_8))
        .map(payload -> payload.replaceAll("(?s).* name=.([^'\"]*).*", "$1"))
        .toList();
  }

  /// As a user who gives a bookmark another name.
  void renameBookmark(String account, String room, String former, String name) {
    bookmarks.rename(context.home(Jid.of(account)), Jid.of(room), former, name);
  }

  /// The name of a room; null if there is none.
  @Nullable String roomName(String room) {
    RoomStore.Stored stored = context.stores().rooms().find(Jid.of(room));
    return stored == null ? null : stored.room().name();
  }
}
