package im.zonda.web;

import im.zonda.directory.RoomDirectory.PublicRoom;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.web.page.Device;
import im.zonda.web.page.Markup;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import java.util.List;

/// The page `/`: what the server is, how to begin, and its public rooms.
///
/// @param site what all pages share
/// @param rooms the public rooms
/// @param guests whether people may enter the rooms without an account, by the chat
record StartPage(Site site, RoomList rooms, boolean guests) implements HttpHandler {
  /// The chat for those who have no account.
  private static final String GUEST = "/chat/?guest";

  /// Has the chat open a room whose address follows, escaped (`rooms.js`).
  private static final String ROOM = "#room=";

  @Override
  public HttpResponse handle(HttpRequest request) {
    Page page = site.page(request);
    Markup body = new Markup();
    body.element("h1", page.look().title()).tag("\n");
    body.tag("<p class=\"lead\">").text(page.text("start.lead", site.domain())).tag("</p>\n");
    if (site.hasChat()) {
      body.tag("<p><a class=\"button\" href=\"/chat/\">").text(page.text("start.chat"));
      body.tag("</a>");
    } else {
      body.tag("<p>");
    }
    if (guests) {
      body.tag(" <a class=\"button second\" href=\"").tag(GUEST).tag("\">");
      body.text(page.text("start.guest")).tag("</a>");
    }
    if (site.signUp().isOpen()) {
      body.tag(" <a class=\"button second\" href=\"/register\">");
      body.text(page.text("start.register")).tag("</a>");
    }
    body.tag(" <a class=\"button second\" href=\"/account\">");
    body.text(page.text("account.title")).tag("</a>");
    body.tag("</p>\n<section>\n").element("h2", page.text("start.rooms")).tag("\n");
    addRooms(body, page, rooms.latest());
    body.tag("</section>\n<section>\n").element("h2", page.text("start.clients")).tag("\n");
    body.element("p", page.text("start.clients.text", site.domain()));
    Device.of(request.header("User-Agent")).list(body, page);
    body.tag("</section>\n");
    return page.response(200, page.look().title(), body);
  }

  private void addRooms(Markup body, Page page, List<PublicRoom> rooms) {
    if (rooms.isEmpty()) {
      body.element("p", page.text("start.no-rooms"));
      return;
    }
    body.tag("<ul class=\"rooms\">\n");
    for (PublicRoom room : rooms) {
      body.tag("<li>\n").tag("<h3>");
      boolean inChat = isOpenedByChat(room);
      if (site.hasChat() && inChat) {
        body.link("/chat/" + ROOM + Site.encode(room.jid()), room.name());
      } else {
        body.link("xmpp:" + Site.encode(room.jid()) + "?join", room.name());
      }
      body.tag("</h3>\n");
      if (room.occupants() >= 0) {
        String people = room.occupants() == 1 ? "start.person" : "start.people";
        body.tag("<p class=\"people\">");
        body.text(page.text(people, Integer.toString(room.occupants()))).tag("</p>\n");
      }
      if (!room.description().isEmpty()) {
        body.element("p", room.description()).tag("\n");
      }
      body.tag("<p class=\"address\">").text(room.jid().toString());
      body.text(room.open() ? "" : " · " + page.text("start.closed")).tag("</p>\n");
      if (guests && room.open() && inChat) {
        String address = Site.encode(room.jid());
        body.tag("<p>").link(GUEST + ROOM + address, page.text("start.guest"));
        body.tag("</p>\n");
      }
      body.tag("</li>\n");
    }
    body.tag("</ul>\n");
  }

  /// converse.js takes an address for a URI and drops what follows a `?`.
  private static boolean isOpenedByChat(PublicRoom room) {
    return room.jid().toString().indexOf('?') < 0;
  }
}
