module example.com/petshop

go 1.26.0

require (
	github.com/armature-dev/armature v0.1.0
	k8s.io/apimachinery v0.37.2
)
