package im.zonda.web.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The kind of device that a reader has, and clients for it.
public enum Device {
  ANDROID,
  APPLE_MOBILE,
  MAC,
  WINDOWS,
  OTHER;

  /// A client and its page.
  public record Client(String name, String url) {}

  /// The clients that are recommended.
  public List<Client> clients() {
    Client monal = new Client("Monal", "https://monal-im.org/");
    Client gajim = new Client("Gajim", "https://gajim.org/");
    return switch (this) {
      case ANDROID ->
          List.of(
              new Client("Conversations", "https://conversations.im/"),
              new Client("Cheogram", "https://cheogram.com/"));
      case APPLE_MOBILE -> List.of(monal, new Client("Siskin IM", "https://siskin.im/"));
      case MAC -> List.of(monal, new Client("Beagle IM", "https://beagle.im/"), gajim);
      case WINDOWS -> List.of(gajim);
      case OTHER -> List.of(new Client("Dino", "https://dino.im/"), gajim);
    };
  }

  /// The device of a browser.
  ///
  /// @param agent the header field `User-Agent`, or null
  public static Device of(@Nullable String agent) {
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
  public void list(Markup body) {
    body.tag("<ul class=\"clients\">\n");
    for (Client client : clients()) {
      body.tag("<li>").link(client.url, client.name).tag("</li>\n");
    }
    body.tag("</ul>\n");
  }
}
