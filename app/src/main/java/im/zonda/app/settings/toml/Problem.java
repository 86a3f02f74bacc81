package im.zonda.app.settings.toml;

/// An error in the configuration.
///
/// @param place the place of the value
/// @param message the error, and what is expected
public record Problem(Place place, String message) {
  @Override
  public String toString() {
    return place + ": " + message;
  }
}
