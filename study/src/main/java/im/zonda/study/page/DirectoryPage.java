package im.zonda.study.page;

import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.jid.Jid;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.web.page.Markup;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// The page: a directory of rooms and people, of four components that are rendered one after the
/// other, as included servlets were. Each asks the store once, by the same code as the server's own
/// handlers:
///
/// | component | table | query |
/// |---|---|---|
/// | rooms | `room` | public rooms after one of them |
/// | memberships | `room_affiliation` | rooms with an affiliation of one user |
/// | people | `account` | accounts after one of them |
/// | messages | `message` | the last messages in the archive of one room |
///
/// No component uses a cache of the server, and each request asks for the next room and user, so
/// that all rows are read in turn.
final class DirectoryPage implements HttpHandler {
  /// The rows that a component shows.
  static final int ROWS = 20;

  private static final long MESSAGE_BYTES = 64 * 1024;

  private final RoomStore rooms;
  private final AccountAddresses accounts;
  private final MessageArchive archive;
  private final String domain;
  private final String service;
  private final Contents contents;
  private final AtomicLong requests = new AtomicLong();

  /// @param domain the virtual host
  /// @param service the service with the rooms
  /// @param contents how much there is
  DirectoryPage(
      RoomStore rooms,
      AccountAddresses accounts,
      MessageArchive archive,
      String domain,
      String service,
      Contents contents) {
    this.rooms = rooms;
    this.accounts = accounts;
    this.archive = archive;
    this.domain = domain;
    this.service = service;
    this.contents = contents;
  }

  @Override
  public HttpResponse handle(HttpRequest request) {
    return HttpResponse.bytes(
        200, "text/html; charset=utf-8", render().getBytes(StandardCharsets.UTF_8));
  }

  /// The page of the next room and user.
  String render() {
    int number = (int) (requests.getAndIncrement() % contents.accounts());
    String room = Contents.room(number % contents.rooms());
    Jid user = Jid.of(Contents.user(number) + "@" + domain);
    Markup body = new Markup();
    body.tag("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">");
    body.element("title", "Directory of " + domain).tag("</head>\n<body>\n");
    addRooms(body, room);
    addMemberships(body, user);
    addPeople(body, user);
    addMessages(body, Jid.of(room + "@" + service));
    return body.tag("</body>\n</html>\n").toString();
  }

  private void addRooms(Markup body, String after) {
    body.element("h2", "Rooms").tag("\n<ul>\n");
    for (RoomStore.Room room : rooms.listed(service, after, null, ROWS)) {
      body.tag("<li>").element("b", room.name()).text(" " + room.jid()).tag("</li>\n");
    }
    body.tag("</ul>\n");
  }

  private void addMemberships(Markup body, Jid user) {
    body.element("h2", "Rooms of " + user).tag("\n<ul>\n");
    for (Jid room : rooms.affiliatedRooms(user, ROWS)) {
      body.element("li", room.toString()).tag("\n");
    }
    body.tag("</ul>\n");
  }

  private void addPeople(Markup body, Jid after) {
    body.element("h2", "People").tag("\n<ul>\n");
    for (Jid person : accounts.list(domain, after, ROWS)) {
      body.element("li", person.toString()).tag("\n");
    }
    body.tag("</ul>\n");
  }

  private void addMessages(Markup body, Jid room) {
    body.element("h2", "Last messages in " + room).tag("\n<ul>\n");
    MessageArchive.Portion last = new MessageArchive.Portion(true, ROWS, MESSAGE_BYTES);
    List<MessageLog.Entry> entries = archive.page(room, MessageArchive.Filter.ALL, last).entries();
    for (MessageLog.Entry entry : entries) {
      body.tag("<li>").element("i", entry.time().toString()).text(" ");
      body.element("b", String.valueOf(entry.with().resource())).text(": ");
      body.text(String.valueOf(entry.message().body())).tag("</li>\n");
    }
    body.tag("</ul>\n");
  }
}
