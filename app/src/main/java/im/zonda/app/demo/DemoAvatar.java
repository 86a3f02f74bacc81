package im.zonda.app.demo;

import im.zonda.hash.HashFunction;
import java.util.Base64;

/// Pictures of people: coloured circles, a different pattern for each (XEP-0084).
final class DemoAvatar {
  private static final int SIZE = 96;

  private DemoAvatar() {}

  /// The picture of a number, as PNG.
  static byte[] png(int number) {
    PngImage image = new PngImage(SIZE);
    float hue = number * 0.618f;
    circle(image, SIZE / 2.0, SIZE / 2.0, 2 * SIZE, color(hue, 0.35f, 0.95f));
    for (int i = 0; i < 3; i++) {
      double angle = Math.toRadians(number * 47 + i * 120);
      circle(
          image,
          SIZE / 2.0 + 18 * Math.cos(angle),
          SIZE / 2.0 + 18 * Math.sin(angle),
          SIZE / 3 - 8 * i,
          color(hue + 0.08f * i, 0.7f, 0.75f - 0.15f * i));
    }
    return image.png();
  }

  private static void circle(
      PngImage image, double centerX, double centerY, int radius, float[] color) {
    for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
        double inside = radius - Math.hypot(x + 0.5 - centerX, y + 0.5 - centerY) + 0.5;
        image.mix(x, y, color, (float) Math.clamp(inside, 0.0, 1.0));
      }
    }
  }

  /// Red, green and blue of a colour.
  ///
  /// @param hue a turn of the circle of colours is 1
  private static float[] color(float hue, float saturation, float brightness) {
    float[] color = new float[3];
    for (int i = 0; i < color.length; i++) {
      // 1 within a sixth of the circle around red, green or blue; 0 beyond a third.
      float distance = Math.abs((hue - i / 3f + 10.5f) % 1 - 0.5f);
      float share = Math.clamp(2 - 6 * distance, 0f, 1f);
      color[i] = brightness * (1 - saturation * (1 - share));
    }
    return color;
  }

  /// The two requests that publish a picture.
  static String publish(byte[] png) {
    String id = HashFunction.SHA_1.hex(png);
    return item(
            "urn:xmpp:avatar:data",
            id,
            "<data xmlns='urn:xmpp:avatar:data'>"
                + Base64.getEncoder().encodeToString(png)
                + "</data>")
        + item(
            "urn:xmpp:avatar:metadata",
            id,
            "<metadata xmlns='urn:xmpp:avatar:metadata'><info id='"
                + id
                + "' type='image/png' bytes='"
                + png.length
                + "' width='96' height='96'/></metadata>");
  }

  /// A request that publishes an item at one's own account (XEP-0163).
  static String item(String node, String id, String payload) {
    return "<iq type='set' id='publish'><pubsub xmlns='http://jabber.org/protocol/pubsub'>"
        + "<publish node='"
        + node
        + "'><item id='"
        + id
        + "'>"
        + payload
        + "</item></publish></pubsub></iq>";
  }
}
