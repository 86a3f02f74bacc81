package im.zonda.config;

import im.zonda.config.annotation.Setting;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The pages of a virtual host for people, which HTTP shows.
public record Web(
    @Setting("name of the server on its pages; without it, the domain of the host")
        @Nullable String title,
    @Setting(
            "picture of the server: a file in PNG, JPEG or SVG of at most 1 MiB; without it, Zonda's"
                + " own")
        @Nullable Path picture,
    @Setting("main colour of the pages, such as `#0d3b52`") String color) {
  /// Zonda's own picture and colour.
  public static final Web DEFAULTS = new Web(null, null, "#0d3b52");
}
