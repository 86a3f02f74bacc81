package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.bookmarks.BookmarksModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Requests of the host to the homes of accounts, on whatever node of a cluster these are, that
/// change rosters and bookmarks for a circle. No client can send them, as their `from` is the
/// host's domain. Each can be repeated: it does what has not been done.
///
/// A home is busy with one request for as long as some [#AT_A_TIME] roster items take to store.
///
/// @param roster the rosters
/// @param presence adds contacts
/// @param bookmarks adds bookmarks
record MemberRequests(
    ModuleContext context,
    RosterModule roster,
    PresenceModule presence,
    BookmarksModule bookmarks) {
  /// The most contacts of one request.
  static final int AT_A_TIME = 25;

  private static final Logger LOG = LoggerFactory.getLogger(MemberRequests.class);
  private static final String NAMESPACE = "urn:zonda:circles:0";
  private static final QName JOIN = new QName(NAMESPACE, "join");
  private static final QName LEAVE = new QName(NAMESPACE, "leave");
  private static final QName RENAME = new QName(NAMESPACE, "rename");
  private static final String CONTACT = "contact";
  private static final String REFUSED = "refused";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// A contact to add.
  ///
  /// @param isKnown whether it has the account in its roster already
  record Contact(Jid jid, boolean isKnown) {}

  /// What came of a request.
  sealed interface Answer {
    /// It is done.
    ///
    /// @param refused contacts for which the roster has no room
    record Done(List<Jid> refused) implements Answer {}

    /// More is left to do with the same request.
    record More() implements Answer {}

    /// There is no such account.
    record NoAccount() implements Answer {}

    /// It failed.
    record Failed(Iq error) implements Answer {}
  }

  void install() {
    context.onIq(Iq.Type.SET, JOIN, Addressee.OTHER_ACCOUNT, this::join);
    context.onIq(Iq.Type.SET, LEAVE, Addressee.OTHER_ACCOUNT, this::leave);
    context.onIq(Iq.Type.SET, RENAME, Addressee.OTHER_ACCOUNT, this::rename);
  }

  // ---- on any node

  /// Adds contacts in the circle's group to an account, and a bookmark of the room. Returns at
  /// once.
  ///
  /// @param room the address of the room, or null for no bookmark
  /// @param contacts at most [#AT_A_TIME]
  void join(
      Jid account,
      Circle circle,
      @Nullable Jid room,
      List<Contact> contacts,
      Consumer<Answer> answered) {
    Element.Builder payload = payload(JOIN, circle, room);
    for (Contact each : contacts) {
      payload.child(
          Element.builder(NAMESPACE, CONTACT)
              .attribute("jid", each.jid.toString())
              .attribute("known", each.isKnown ? "true" : null)
              .build());
    }
    request(account, payload.build(), answered);
  }

  /// Takes contacts of an account out of the circle's group, and the bookmark of the room from it.
  /// Returns at once.
  ///
  /// @param room the address of the room, or null to leave the bookmark
  /// @param contacts the contacts; empty for all, then there may be [Answer.More] to do
  void leave(
      Jid account,
      Circle circle,
      @Nullable Jid room,
      List<Jid> contacts,
      Consumer<Answer> answered) {
    Element.Builder payload = payload(LEAVE, circle, room);
    for (Jid each : contacts) {
      payload.child(Element.builder(NAMESPACE, CONTACT).attribute("jid", each.toString()).build());
    }
    request(account, payload.build(), answered);
  }

  /// Moves the contacts of an account from a group with a former name of the circle into that with
  /// its name, and renames the bookmark of the room unless the user has given it another name.
  /// There may be [Answer.More] to do. Returns at once.
  ///
  /// @param room the address of the room, or null to leave the bookmark
  void rename(
      Jid account, Circle circle, String former, @Nullable Jid room, Consumer<Answer> answered) {
    Element payload = payload(RENAME, circle, room).attribute("former", former).build();
    request(account, payload, answered);
  }

  private static Element.Builder payload(QName name, Circle circle, @Nullable Jid room) {
    return Element.builder(name)
        .attribute("group", circle.name())
        .attribute("room", room == null ? null : room.toString());
  }

  private void request(Jid account, Element payload, Consumer<Answer> answered) {
    Iq request = Iq.of(Iq.Type.SET, context.domain(), account, context.ids().next(), payload);
    context
        .port(ExternalComponents.class)
        .request(request, context.domain(), PATIENCE, answer -> answered.accept(read(answer)));
  }

  private static Answer read(Iq answer) {
    if (answer.type() != Iq.Type.RESULT) {
      return CircleUpdate.isNotFound(answer) ? new Answer.NoAccount() : new Answer.Failed(answer);
    }
    Element payload = answer.payload();
    if (payload == null) {
      return new Answer.Done(List.of());
    }
    if (payload.name().equals(LEAVE) || payload.name().equals(RENAME)) {
      return new Answer.More();
    }
    List<Jid> refused = new ArrayList<>();
    for (Element child : payload.children()) {
      refused.add(contact(child));
    }
    return new Answer.Done(refused);
  }

  // ---- at the home of the account

  private @Nullable IqReply refuse(IqRequest request) {
    if (!context.domain().equals(request.iq().from())) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    return request.home().exists() ? null : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
  }

  private IqReply join(IqRequest request) {
    IqReply refusal = refuse(request);
    if (refusal != null) {
      return refusal;
    }
    Home home = request.home();
    Element payload = request.payload();
    String group = payload.attribute("group");
    try {
      Jid room = room(payload);
      if (group == null) {
        return IqReply.refuse(ErrorCondition.BAD_REQUEST);
      }
      List<Element> refused = new ArrayList<>();
      for (Element child : payload.children()) {
        Jid contact = contact(child);
        boolean isKnown = "true".equals(child.attribute("known"));
        if (!presence.addContact(home, contact, group, isKnown)) {
          refused.add(
              Element.builder(NAMESPACE, REFUSED).attribute("jid", contact.toString()).build());
        }
      }
      if (room != null && !bookmarks.add(home, room, group, String.valueOf(home.jid().local()))) {
        LOG.atDebug().addKeyValue("jid", home.jid()).log("circle_without_bookmark");
      }
      return refused.isEmpty() ? IqReply.empty() : IqReply.result(answer(refused));
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
  }

  private static Element answer(List<Element> children) {
    Element.Builder answer = Element.builder(JOIN);
    children.forEach(answer::child);
    return answer.build();
  }

  private IqReply leave(IqRequest request) {
    IqReply refusal = refuse(request);
    if (refusal != null) {
      return refusal;
    }
    Home home = request.home();
    Element payload = request.payload();
    String group = payload.attribute("group");
    try {
      Jid room = room(payload);
      if (group == null) {
        return IqReply.refuse(ErrorCondition.BAD_REQUEST);
      }
      if (room != null) {
        bookmarks.remove(home, room);
      }
      Rosters rosters = roster.rosters();
      if (!payload.children().isEmpty()) {
        for (Element child : payload.children()) {
          RosterItem item = rosters.of(home).stored(contact(child));
          if (item != null && item.groups().contains(group)) {
            rosters.put(home, without(item, group));
          }
        }
        return IqReply.empty();
      }
      List<RosterItem> items =
          rosters.of(home).items().stream().filter(each -> each.groups().contains(group)).toList();
      items.stream().limit(AT_A_TIME).forEach(each -> rosters.put(home, without(each, group)));
      return items.size() > AT_A_TIME ? IqReply.result(Element.of(LEAVE)) : IqReply.empty();
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
  }

  private IqReply rename(IqRequest request) {
    IqReply refusal = refuse(request);
    if (refusal != null) {
      return refusal;
    }
    Home home = request.home();
    Element payload = request.payload();
    String group = payload.attribute("group");
    String former = payload.attribute("former");
    try {
      Jid room = room(payload);
      if (group == null || former == null) {
        return IqReply.refuse(ErrorCondition.BAD_REQUEST);
      }
      if (room != null) {
        bookmarks.rename(home, room, former, group);
      }
      Rosters rosters = roster.rosters();
      List<RosterItem> items =
          rosters.of(home).items().stream().filter(each -> each.groups().contains(former)).toList();
      items.stream()
          .limit(AT_A_TIME)
          .forEach(each -> rosters.put(home, inGroups(each, renamed(each, former, group))));
      return items.size() > AT_A_TIME ? IqReply.result(Element.of(RENAME)) : IqReply.empty();
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
  }

  private static List<String> renamed(RosterItem item, String former, String group) {
    return item.groups().stream()
        .map(each -> each.equals(former) ? group : each)
        .distinct()
        .toList();
  }

  private static @Nullable Jid room(Element payload) {
    String room = payload.attribute("room");
    return room == null ? null : Jid.stored(room);
  }

  private static Jid contact(Element child) {
    String jid = child.attribute("jid");
    return Jid.stored(jid == null ? "" : jid);
  }

  private static RosterItem without(RosterItem item, String group) {
    return inGroups(item, item.groups().stream().filter(each -> !each.equals(group)).toList());
  }

  private static RosterItem inGroups(RosterItem item, List<String> groups) {
    return new RosterItem(
        item.jid(),
        item.name(),
        item.subscription(),
        item.ask(),
        item.approved(),
        groups,
        item.request(),
        item.listed());
  }
}
