package im.zonda.web.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The kind of device that a reader has, and clients for it.
public enum Device {
  ANDROID("device.android"),
  APPLE_MOBILE("device.apple-mobile"),
  MAC("device.mac"),
  WINDOWS("device.windows"),
  OTHER("device.linux");

  private final String key;

  Device(String key) {
    this.key = key;
  }

  /// A client and its page.
  ///
  /// @param key of the text that says what it is
  public record Client(String name, String url, String key) {}

  /// The clients that are recommended.
  public List<Client> clients() {
    Client monal = new Client("Monal", "https://monal-im.org/", "client.monal");
    Client gajim = new Client("Gajim", "https://gajim.org/", "client.gajim");
    return switch (this) {
      case ANDROID ->
          List.of(
              new Client("Conversations", "https://conversations.im/", "client.conversations"),
              new Client("Cheogram", "https://cheogram.com/", "client.cheogram"));
      case APPLE_MOBILE ->
          List.of(monal, new Client("Siskin IM", "https://siskin.im/", "client.siskin"));
      case MAC ->
          List.of(monal, new Client("Beagle IM", "https://beagle.im/", "client.beagle"), gajim);
      case WINDOWS -> List.of(gajim);
      case OTHER -> List.of(new Client("Dino", "https://dino.im/", "client.dino"), gajim);
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

  /// Lists the clients, with a line on what each is.
  public void list(Markup body, Page page) {
    body.tag("<ul class=\"clients\">\n");
    for (Client client : clients()) {
      body.tag("<li>").link(client.url, client.name);
      body.element("span", page.text(client.key)).tag("</li>\n");
    }
    body.tag("</ul>\n");
  }

  /// Lists the clients of the other kinds of device, which are shown on request.
  public void listOthers(Markup body, Page page) {
    body.tag("<details>\n").element("summary", page.text("device.others")).tag("\n");
    for (Device each : values()) {
      if (each != this) {
        body.element("h3", page.text(each.key)).tag("\n");
        each.list(body, page);
      }
    }
    body.tag("</details>\n");
  }
}
