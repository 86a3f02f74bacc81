/// The homes of a module's service with a domain of its own, such as `rooms.example.org`: one for
/// each address under the domain. Services can be added and withdrawn while the server runs.
@NullMarked
package im.zonda.home.service;

import org.jspecify.annotations.NullMarked;
