package im.zonda.module.muc.admin;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServiceHomes;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.admin.RoomOperations.Affiliated;
import im.zonda.module.muc.home.OccupantCounts;
import im.zonda.module.muc.home.RoomConfigForm;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.requests.HostRequests;
import im.zonda.module.requests.HostRequests.Answer;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import im.zonda.store.MessageArchive;
import im.zonda.store.RoomStore;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Shows, makes and changes rooms for administrators.
public final class RoomActions {
  private static final String P = "muc#roomconfig_";
  private static final String SECRET = P + "roomsecret";

  private final ModuleContext context;
  private final Jid service;
  private final RoomRepository repository;
  private final RoomLists lists;
  private final RoomStore store;
  private final HostRequests requests;

  /// @param service the domain of the rooms
  /// @param homes the rooms in memory
  public RoomActions(
      ModuleContext context,
      Jid service,
      RoomRepository repository,
      Supplier<ServiceHomes<RoomHome>> homes) {
    this.context = context;
    this.service = service;
    this.repository = repository;
    this.store = context.port(RoomStore.class);
    this.lists = new RoomLists(store, new OccupantCounts(homes), service.domain());
    this.requests = new HostRequests(context);
  }

  /// What is offered.
  public List<Offer<?, ?>> offers() {
    return List.of(
        RoomOperations.LIST.by((_, wanted) -> lists.list(wanted)),
        RoomOperations.SHOW.by((_, chosen) -> show(chosen.room())),
        RoomOperations.CREATE.by((_, draft) -> create(draft)),
        RoomOperations.CONFIGURE.by(this::configure),
        RoomOperations.OCCUPANTS.by((_, portion) -> occupants(portion)),
        RoomOperations.KICK.by((_, kicked) -> kick(kicked)),
        RoomOperations.AFFILIATIONS.by((_, wanted) -> affiliations(wanted)),
        RoomOperations.AFFILIATE.by(this::affiliate));
  }

  /// The refusal of an address that is not one of a room of the service; null if it is.
  static <R extends Record> @Nullable Outcome<R> refusal(Jid room, Jid service) {
    return room.local() != null && room.isBare() && room.domainJid().equals(service)
        ? null
        : Outcome.notFound("There is no room " + room + "; rooms are at " + service + ".");
  }

  private RoomStore.@Nullable Stored find(Jid room) {
    return refusal(room, service) == null ? store.find(room) : null;
  }

  private static <R extends Record> Outcome<R> unknown(Jid room) {
    return Outcome.notFound("There is no room " + room + ".");
  }

  // ---- reading

  private Outcome<RoomOperations.Shown> show(Jid room) throws InterruptedException {
    RoomStore.Stored stored = find(room);
    if (stored == null) {
      return unknown(room);
    }
    return switch (requests.get(room, ask(null, 0))) {
      case Answer.Refusal refusal -> refusal.outcome(room);
      case Answer.Result(Element payload) ->
          Outcome.done(
              new RoomOperations.Shown(
                  room,
                  repository.readSubject(stored.room()),
                  settings(repository.readConfig(stored.room())),
                  stored.room().creator(),
                  stored.room().created(),
                  stored.affiliations().stream()
                      .filter(each -> each.affiliation().equals(Affiliation.OWNER.value()))
                      .map(RoomStore.Affiliation::user)
                      .toList(),
                  stored.affiliations().size(),
                  count(payload),
                  edge(room, false),
                  edge(room, true)));
    };
  }

  /// The time of the oldest or the latest message.
  private @Nullable Instant edge(Jid room, boolean latest) {
    MessageArchive.Page page =
        context
            .port(MessageArchive.class)
            .page(room, MessageArchive.Filter.ALL, new MessageArchive.Portion(latest, 1, 1));
    return page.entries().isEmpty() ? null : page.entries().getFirst().time();
  }

  private static RoomOperations.Settings settings(RoomConfig config) {
    return new RoomOperations.Settings(
        config.name(),
        config.description(),
        config.listed(),
        config.persistent(),
        config.membersOnly(),
        config.moderated(),
        config.nonAnonymous(),
        config.password() != null,
        config.archive(),
        config.changeSubject(),
        config.invites(),
        config.occupants(),
        config.history(),
        config.slowMode());
  }

  private static Element ask(@Nullable String after, int max) {
    return Element.builder(RoomTasks.OCCUPANTS)
        .attribute("after", after)
        .attribute("max", Integer.toString(max))
        .build();
  }

  private static int count(@Nullable Element occupants) {
    return number(occupants == null ? null : occupants.attribute("count"));
  }

  private static int number(@Nullable String text) {
    return text == null ? 0 : Integer.parseInt(text);
  }

  private Outcome<RoomOperations.Occupants> occupants(RoomOperations.Portion portion)
      throws InterruptedException {
    Outcome<RoomOperations.Occupants> wrong = refusal(portion.room(), service);
    if (wrong != null) {
      return wrong;
    }
    return switch (requests.get(portion.room(), ask(portion.after(), portion.limit()))) {
      case Answer.Refusal refusal -> refusal.outcome("room " + portion.room());
      case Answer.Result(Element payload) -> {
        List<RoomOperations.Occupant> found = new ArrayList<>();
        if (payload != null) {
          payload.children().forEach(each -> found.add(occupant(each)));
        }
        String next = found.size() < portion.limit() ? null : found.getLast().nick();
        yield Outcome.done(new RoomOperations.Occupants(count(payload), found, next));
      }
    };
  }

  private static RoomOperations.Occupant occupant(Element element) {
    Affiliation affiliation = Affiliation.of(element.attribute("affiliation"));
    Role role = Role.of(element.attribute("role"));
    return new RoomOperations.Occupant(
        String.valueOf(element.attribute("nick")),
        Jid.stored(String.valueOf(element.attribute("jid"))),
        affiliation == null ? Affiliation.NONE : affiliation,
        role == null ? Role.NONE : role,
        number(element.attribute("sessions")));
  }

  private Outcome<RoomOperations.Affiliations> affiliations(RoomOperations.OfRoom wanted) {
    RoomStore.Stored stored = find(wanted.room());
    if (stored == null) {
      return unknown(wanted.room());
    }
    List<Affiliated> found =
        stored.affiliations().stream()
            .map(RoomActions::affiliated)
            .filter(
                each -> wanted.affiliation() == null || each.affiliation() == wanted.affiliation())
            .filter(each -> wanted.after() == null || each.user().compareTo(wanted.after()) > 0)
            .sorted((one, other) -> one.user().compareTo(other.user()))
            .limit(wanted.limit() + 1L)
            .toList();
    boolean isLast = found.size() <= wanted.limit();
    List<Affiliated> page = isLast ? found : found.subList(0, wanted.limit());
    return Outcome.done(
        new RoomOperations.Affiliations(page, isLast ? null : page.getLast().user()));
  }

  private static Affiliated affiliated(RoomStore.Affiliation stored) {
    Affiliation affiliation = Affiliation.of(stored.affiliation());
    return new Affiliated(
        stored.user(),
        affiliation == null ? Affiliation.NONE : affiliation,
        stored.nick(),
        stored.reason());
  }

  // ---- changing

  private Outcome<Nothing> create(RoomOperations.Draft draft) throws InterruptedException {
    Outcome<Nothing> wrong = refusal(draft.room(), service);
    if (wrong != null) {
      return wrong;
    }
    Jid owner = draft.owner().bare();
    if (owner.local() == null) {
      return Outcome.invalid("owner", "The owner of a room is an account.");
    }
    if (!exists(owner)) {
      // Somebody could register it later and would own the room.
      return Outcome.invalid("owner", "There is no account " + owner + ".");
    }
    DataForm.Builder form =
        DataForm.builder("submit", RoomConfigForm.KIND)
            .bool(P + "membersonly", "", draft.membersOnly())
            .bool(P + "publicroom", "", draft.listed());
    if (draft.name() != null) {
      form.text(P + "roomname", "", draft.name());
    }
    Element payload =
        Element.builder(RoomTasks.CREATE)
            .attribute("owner", owner.toString())
            .child(form.build().toElement())
            .build();
    return nothing(requests.set(draft.room(), payload), draft.room());
  }

  /// Whether an account exists; true if it is of another server.
  private boolean exists(Jid account) {
    return !account.domainJid().equals(context.domain())
        || context.port(AccountRegistration.class).created(account) != null;
  }

  private static Outcome<Nothing> nothing(Answer answer, Jid room) {
    return switch (answer) {
      case Answer.Refusal refusal -> refusal.outcome("room " + room);
      case Answer.Result _ -> Nothing.done();
    };
  }

  private Outcome<Nothing> configure(Call call, RoomOperations.Change change)
      throws InterruptedException {
    RoomStore.Stored before = find(change.room());
    if (before == null) {
      return unknown(change.room());
    }
    Element query =
        Element.builder(MucNames.OWNER, "query").child(form(change).toElement()).build();
    Outcome<Nothing> outcome = nothing(requests.set(change.room(), query), change.room());
    RoomStore.Stored after = store.find(change.room());
    if (outcome instanceof Outcome.Done<Nothing> && after != null) {
      noteChanges(call, repository.readConfig(before.room()), repository.readConfig(after.room()));
    }
    return outcome;
  }

  private static DataForm form(RoomOperations.Change change) {
    DataForm.Builder form = DataForm.builder("submit", RoomConfigForm.KIND);
    text(form, "roomname", change.name());
    text(form, "roomdesc", change.description());
    bool(form, "publicroom", change.listed());
    bool(form, "persistentroom", change.persistent());
    bool(form, "membersonly", change.membersOnly());
    bool(form, "moderatedroom", change.moderated());
    bool(form, "enablelogging", change.archive());
    bool(form, "changesubject", change.changeSubject());
    bool(form, "allowinvites", change.invites());
    text(form, "maxusers", shown(change.occupants()));
    text(form, "slow_mode_duration", shown(change.slowMode()));
    if (change.nonAnonymous() != null) {
      text(
          form,
          "whois",
          change.nonAnonymous() == RoomOperations.Switch.ON ? "anyone" : "moderators");
    }
    if (change.history() != null) {
      form.text("muc#maxhistoryfetch", "", shown(change.history()));
    }
    if (change.password() != null) {
      form.bool(P + "passwordprotectedroom", "", !change.password().text().isEmpty());
      form.text(SECRET, "", change.password().text());
    }
    return form.build();
  }

  private static @Nullable String shown(@Nullable Integer number) {
    return number == null ? null : number.toString();
  }

  private static void text(DataForm.Builder form, String name, @Nullable String value) {
    if (value != null) {
      form.text(P + name, "", value);
    }
  }

  private static void bool(
      DataForm.Builder form, String name, RoomOperations.@Nullable Switch value) {
    if (value != null) {
      form.bool(P + name, "", value == RoomOperations.Switch.ON);
    }
  }

  private static void noteChanges(Call call, RoomConfig before, RoomConfig after) {
    Map<String, DataForm.Field> old = fields(before);
    fields(after)
        .forEach((name, field) -> {
          DataForm.Field was = old.get(name);
          if (was != null && !name.equals(SECRET) && !was.values().equals(field.values())) {
            call.changed(
                name.substring(name.indexOf('_') + 1),
                String.join(" ", was.values()),
                String.join(" ", field.values()));
          }
        });
    if (before.password() != null
        && after.password() != null
        && !Objects.equals(before.password(), after.password())) {
      call.changed("password", "(secret)", "(another one)");
    }
  }

  private static Map<String, DataForm.Field> fields(RoomConfig config) {
    return RoomConfigForm.write(config, "submit", config.occupants()).build().fields();
  }

  private Outcome<Nothing> kick(RoomOperations.Kicked kicked) throws InterruptedException {
    Outcome<Nothing> wrong = refusal(kicked.room(), service);
    if (wrong != null) {
      return wrong;
    }
    Element.Builder item =
        Element.builder(MucNames.ADMIN, "item")
            .attribute("nick", kicked.nick())
            .attribute("role", Role.NONE.value());
    Answer answer = requests.set(kicked.room(), query(item, kicked.reason()));
    return answer instanceof Answer.Refusal refusal
        ? refusal.outcome(kicked.nick() + " in " + kicked.room())
        : Nothing.done();
  }

  private static Element query(Element.Builder item, @Nullable String reason) {
    if (reason != null) {
      item.child("reason", reason);
    }
    return Element.builder(MucNames.ADMIN, "query").child(item.build()).build();
  }

  private Outcome<Nothing> affiliate(Call call, RoomOperations.Given given)
      throws InterruptedException {
    RoomStore.Stored before = find(given.room());
    if (before == null) {
      return unknown(given.room());
    }
    Jid user = given.user().bare();
    Element.Builder item =
        Element.builder(MucNames.ADMIN, "item")
            .attribute("jid", user.toString())
            .attribute("affiliation", given.affiliation().value());
    Outcome<Nothing> outcome =
        nothing(requests.set(given.room(), query(item, given.reason())), given.room());
    if (outcome instanceof Outcome.Done<Nothing>) {
      String was =
          before.affiliations().stream()
              .filter(each -> each.user().equals(user))
              .map(RoomStore.Affiliation::affiliation)
              .findFirst()
              .orElse(Affiliation.NONE.value());
      call.changed("affiliation of " + user, was, given.affiliation().value());
    }
    return outcome;
  }
}
