package im.zonda.web;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The kind of device that a reader has, and clients for it.
enum Device {
  ANDROID(
      new Client("Conversations", "https://conversations.im/"),
      new Client("Cheogram", "https://cheogram.com/")),
  APPLE_MOBILE(
      new Client("Monal", "https://monal-im.org/"), new Client("Siskin IM", "https://siskin.im/")),
  MAC(
      new Client("Monal", "https://monal-im.org/"),
      new Client("Beagle IM", "https://beagle.im/"),
      new Client("Gajim", "https://gajim.org/")),
  WINDOWS(new Client("Gajim", "https://gajim.org/")),
  OTHER(new Client("Dino", "https://dino.im/"), new Client("Gajim", "https://gajim.org/"));

  /// A client and its page.
  record Client(String name, String url) {}

  private final List<Client> clients;

  Device(Client... clients) {
    this.clients = List.of(clients);
  }

  /// The clients that are recommended.
  List<Client> clients() {
    return clients;
  }

  /// The device of a browser.
  ///
  /// @param agent the header field `User-Agent`, or null
  static Device of(@Nullable String agent) {
    if (agent == null) {
      return OTHER;
    } else if (agent.contains("Android")) {
      return ANDROID;
    } else if (agent.contains("iPhone") || agent.contains("iPad")) {
      return APPLE_MOBILE;
    } else if (agent.contains("Mac OS X")) {
      return MAC;
    } else {
      return agent.contains("Windows") ? WINDOWS : OTHER;
    }
  }

  /// Lists the clients.
  void list(Markup body) {
    body.tag("<ul class=\"clients\">\n");
    for (Client client : clients) {
      body.tag("<li>").link(client.url, client.name).tag("</li>\n");
    }
    body.tag("</ul>\n");
  }
}
