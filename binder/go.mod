// What tries the image and a hub as students do, over Jupyter's REST and websocket API, apart from
// the course: nothing else needs it.
module github.com/svmkit/course/binder

go 1.25.0

require github.com/coder/websocket v1.8.14
